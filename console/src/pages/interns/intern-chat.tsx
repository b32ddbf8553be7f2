import { Alert, Button, Group, Paper, Select, Stack, Text, Textarea } from '@mantine/core';
import { useRef, useState, type SyntheticEvent, type ReactNode } from 'react';
import { FaultAlert } from '../../components/fault-alert';
import { sendOnEnter } from '../../components/send-on-enter';
import { exactUsd } from '../../format/amounts';
import { InternQuestion } from './intern-question';
import { useInternTalk, type Said } from './use-intern-talk';

interface InternChatProps {
  readonly id: string;
  readonly isRunning: boolean;
  /** The session to continue; absent = a new one. */
  readonly session: string | undefined;
  /** Leaves the session of the address. */
  readonly onStartOver: () => void;
}

const MODES = [
  { value: 'self-drive', label: 'Act without asking' },
  { value: 'manual', label: 'Ask before each effect' },
];

/** A conversation with an intern, its questions included. */
export function InternChat({ id, isRunning, session, onStartOver }: InternChatProps): ReactNode {
  const talk = useInternTalk(id, session);
  const [text, setText] = useState('');
  const [mode, setMode] = useState<'self-drive' | 'manual'>('manual');
  const message = useRef<HTMLTextAreaElement>(null);
  const send = (): void => {
    if (!isRunning || text.trim() === '') return;
    talk.say(text, mode);
    setText('');
  };
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    send();
  };
  const answer = (content: string): void => {
    talk.answer(content, mode);
    message.current?.focus();
  };
  const begin = (): void => {
    talk.startOver();
    if (session !== undefined) onStartOver();
  };
  return (
    <Stack maw={820}>
      {!isRunning && (
        <Alert color="orange" variant="outline">
          It does not run. Start it to talk to it.
        </Alert>
      )}
      {talk.said.length === 0 && (
        <Text size="sm" c="dimmed" className="wrap">
          {session === undefined
            ? 'A message begins a session. Its work is done with tools, on its own disk.'
            : `Your message continues the session ${session}. What was said before is on its disk and not shown here.`}
        </Text>
      )}
      <Stack gap="sm" aria-live="polite" aria-label="Conversation" role="log">
        {talk.said.map((said, at) => (
          <SaidView key={at} said={said} />
        ))}
      </Stack>
      {talk.question && <InternQuestion asked={talk.question} onAnswer={answer} />}
      {talk.error && <FaultAlert error={talk.error} />}
      <form onSubmit={submit}>
        <Stack gap="xs">
          <Select
            label="Approval"
            data={MODES}
            value={mode}
            onChange={(value) => value && setMode(value as typeof mode)}
            allowDeselect={false}
            maw={260}
          />
          <Textarea
            ref={message}
            label="Message"
            description="Enter sends, Shift+Enter begins a line."
            autosize
            minRows={2}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            onKeyDown={sendOnEnter(send)}
          />
          <Group>
            <Button type="submit" disabled={!isRunning}>
              Send
            </Button>
            {talk.isBusy && (
              <Button variant="default" onClick={talk.cancel}>
                Cancel
              </Button>
            )}
            <Button variant="default" onClick={begin} disabled={talk.isBusy}>
              New session
            </Button>
          </Group>
        </Stack>
      </form>
    </Stack>
  );
}

function SaidView({ said: { by, text, reasoning, cost } }: { readonly said: Said }): ReactNode {
  return (
    <Paper withBorder={by === 'intern'} p="sm">
      <Text size="sm" fw={600}>
        {by === 'intern' ? 'Intern' : 'You'}
      </Text>
      {reasoning && (
        <Text size="sm" fs="italic" className="wrap">
          {reasoning}
        </Text>
      )}
      <Text className="wrap">{text}</Text>
      {cost !== undefined && (
        <Text size="xs" c="dimmed">
          Cost {exactUsd(cost)}
        </Text>
      )}
    </Paper>
  );
}
