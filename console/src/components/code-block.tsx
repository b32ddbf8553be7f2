import { Button, Code, Group, Text } from '@mantine/core';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { copyText } from './copy-text';
import { t } from '../text/translate';

const SHOWN_MS = 2_000;
const WORDS = { idle: t('Copy'), copied: t('Copied'), selected: t('Press Ctrl+C') } as const;

interface CodeBlockProps {
  readonly label: string;
  readonly code: string;
  /** The accessible name of the block, if the label alone is not clear. */
  readonly name?: string;
}

/** Text to copy, such as a command. */
export function CodeBlock({ label, code, name = label }: CodeBlockProps): ReactNode {
  const text = useRef<HTMLPreElement>(null);
  const [state, setState] = useState<keyof typeof WORDS>('idle');
  useEffect(() => {
    if (state !== 'copied') return undefined;
    const timer = setTimeout(() => setState('idle'), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async (): Promise<void> => setState((await copyText(text.current!)) ? 'copied' : 'selected');
  return (
    <div>
      <Group justify="space-between" mb={4}>
        <Text size="sm" fw={600}>
          {label}
        </Text>
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => void copy()}
          aria-label={`${state === 'selected' ? t('Press Ctrl+C to copy') : WORDS[state]} ${name}`}
        >
          {WORDS[state]}
        </Button>
      </Group>
      <Code block className="scroll" tabIndex={0} role="region" aria-label={name} ref={text}>
        {code}
      </Code>
    </div>
  );
}
