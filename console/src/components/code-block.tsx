import { Button, Code, CopyButton, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** Text to copy, such as a command. */
export function CodeBlock({ label, code }: { readonly label: string; readonly code: string }): ReactNode {
  return (
    <div>
      <Group justify="space-between" mb={4}>
        <Text size="sm" fw={600}>
          {label}
        </Text>
        <CopyButton value={code}>
          {({ copied, copy }) => (
            <Button size="compact-xs" variant="default" onClick={copy} aria-label={`Copy ${label}`}>
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
      </Group>
      <Code block className="scroll" tabIndex={0} role="region" aria-label={label}>
        {code}
      </Code>
    </div>
  );
}
