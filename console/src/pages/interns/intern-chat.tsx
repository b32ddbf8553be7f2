import { Alert, Button, Group, Select, Stack, Text, Textarea } from '@mantine/core';
import { useRef, useState, type SyntheticEvent, type ReactNode } from 'react';
import { FaultAlert } from '../../components/fault-alert';
import { PageLink } from '../../components/page-link';
import { sendOnEnter } from '../../components/send-on-enter';
import { useWaitingQuestions } from '../../talks/use-waiting-questions';
import { InternQuestion } from './intern-question';
import { MODES } from './intern-settings';
import { StartIntern } from './start-intern';
import { SaidView } from './said-view';
import { useInternTalk } from './use-intern-talk';
import { t } from '../../text/translate';

interface InternChatProps {
  readonly id: string;
  readonly isRunning: boolean;
  /** The session to continue; absent = a new one. */
  readonly session: string | undefined;
  /** Goes to another session; undefined = a new one. */
  readonly onChange: (session: string | undefined) => void;
}

/** A conversation with an intern, including its questions. */
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
          <Group justify="space-between" gap="xs">
            {t('It does not run. Start it to talk to it.')}
            <StartIntern id={id} />
          </Group>
        </Alert>
      )}
      {talk.said.length === 0 && (
        <Text size="sm" c="dimmed" className="wrap">
          {session === undefined
            ? t('A message begins a session. Its work is done with tools, on its own disk.')
            : t(
                'Your message continues the session {session}. The intern remembers it; this browser has ' +
                  'not kept it.',
                { session },
              )}
        </Text>
      )}
      <Stack gap="sm" aria-live="polite" aria-label={t('Conversation')} role="log">
        {talk.said.map((said, at) => (
          <SaidView key={at} said={said} />
        ))}
      </Stack>
      {waiting && (
        <PageLink to="/interns/$id" params={{ id }} search={{ tab: 'talk', session: waiting.sessionId }}>
          {t('A question waits for your answer in another session')}
        </PageLink>
      )}
      {talk.question && <InternQuestion key={talk.question.callId} asked={talk.question} onAnswer={answer} />}
      {talk.error && <FaultAlert error={talk.error} />}
      <form onSubmit={submit}>
        <Stack gap="xs">
          <Select
            label={t('Approval')}
            description={t('For the messages of this page')}
            data={[...MODES]}
            value={mode}
            onChange={(value) => value && setMode(value)}
            allowDeselect={false}
            maw={300}
          />
          <Textarea
            ref={message}
            label={t('Message')}
            description={t('Enter sends, Shift+Enter begins a line.')}
            autosize
            minRows={2}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            onKeyDown={sendOnEnter(send)}
          />
          <Group>
            <Button type="submit" disabled={!isRunning}>
              {t('Send')}
            </Button>
            {talk.isBusy && (
              <Button variant="default" onClick={talk.cancel}>
                {t('Cancel')}
              </Button>
            )}
            <Button variant="default" onClick={() => onChange(undefined)} disabled={talk.isBusy}>
              {t('New session')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Stack>
  );
}
