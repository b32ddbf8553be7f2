import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { CodeBlock } from '../../components/code-block';
import { KeySnippets } from './key-snippets';

interface NewSecretProps {
  /** Null = closed. */
  readonly secret: string | null;
  readonly close: () => void;
  /** The id of the button that gets the focus back. */
  readonly opener: string;
}

/** Shows a new secret once, with the commands that use it. */
export function NewSecret({ secret, close, opener }: NewSecretProps): ReactNode {
  return (
    <Modal
      opened={secret !== null}
      onClose={close}
      title="Your new key"
      size="lg"
      closeOnClickOutside={false}
      // By itself it would return the focus to the form that was sent, which is gone.
      returnFocus={false}
      onExitTransitionEnd={() => document.getElementById(opener)?.focus()}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack>
        <Alert color="orange" variant="outline" title="Copy it now">
          The service keeps only a hash of it and cannot show it again.
        </Alert>
        {secret !== null && <CodeBlock label="Key" code={secret} />}
        {secret !== null && <KeySnippets secret={secret} />}
        <Group justify="flex-end">
          <Button onClick={close}>Done</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
