import { Alert, Button, Group, Select, Stack, Text, Textarea } from '@mantine/core';
import { useRef, useState, type SyntheticEvent, type ReactNode } from 'react';
import { FaultAlert } from '../../components/fault-alert';
import { PageLink } from '../../components/page-link';
import { sendOnEnter } from '../../components/send-on-enter';
import { useWaitingQuestions } from '../../talks/use-waiting-questions';
import { InternQuestion } from './intern-question';
import { SaidView } from './said-view';
import { useInternTalk } from './use-intern-talk';

interface InternChatProps {
  readonly id: string;
  readonly isRunning: boolean;
  /** The session to continue; absent = a new one. */
  readonly session: string | undefined;
  /** Goes to another session; undefined = a new one. */
  readonly onChange: (session: string | undefined) => void;
}

const MODES = [
  { value: 'self-drive', label: 'Act without asking' },
  { value: 'manual', label: 'Ask before each effect' },
];

/** A conversation with an intern, its questions included. */
export function InternChat({ id, isRunning, session, onChange }: InternChatProps): ReactNode {
  const talk = useInternTalk(id, session, onChange);
  const waiting = useWaitingQuestions().find(
    ({ internId, sessionId }) => internId === id && sessionId !== session && !talk.question,
  );
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
            : `Your message continues the session ${session}. The intern remembers it; this browser has not kept it.`}
        </Text>
      )}
      <Stack gap="sm" aria-live="polite" aria-label="Conversation" role="log">
        {talk.said.map((said, at) => (
          <SaidView key={at} said={said} />
        ))}
      </Stack>
      {waiting && (
        <PageLink to="/interns/$id" params={{ id }} search={{ tab: 'talk', session: waiting.sessionId }}>
          A question waits for your answer in another session
        </PageLink>
      )}
      {talk.question && <InternQuestion key={talk.question.callId} asked={talk.question} onAnswer={answer} />}
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
            <Button variant="default" onClick={() => onChange(undefined)} disabled={talk.isBusy}>
              New session
            </Button>
          </Group>
        </Stack>
      </form>
    </Stack>
  );
}
