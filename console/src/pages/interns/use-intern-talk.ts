import { useEffect, useRef, useState } from 'react';
import { newTalkId } from '../../talks/kept-store';
import { keepTalk, talkOf } from '../../talks/kept-talks';
import type { AskedQuestion, Said, Talk } from '../../talks/talk';
import { useKept } from '../../talks/use-kept';
import { withPart } from './talk-parts';
import { answerTo, cancelOf, decisionOf, takeTurn, type TurnMessage, type TurnUpdate } from './intern-turn';
import { t } from '../../text/translate';

type Mode = 'self-drive' | 'manual';

export interface InternTalk extends Talk {
  readonly error: Error | null;
  readonly isBusy: boolean;
  readonly say: (text: string, mode: Mode) => void;
  readonly answer: (content: string, mode: Mode) => void;
  readonly cancel: () => void;
}

/**
 * A conversation with an intern. `onSession` is called with the id of the session that the first message starts. If
 * `session` changes to another id, the turn ends and the other conversation is shown.
 */
export function useInternTalk(
  id: string,
  session: string | undefined,
  onSession: (session: string) => void,
): InternTalk {
  const [talk, setTalk] = useState<Talk>(() => talkOf(id, session));
  const [error, setError] = useState<Error | null>(null);
  const [turns, setTurns] = useState(0);
  const current = useRef(session);
  const abort = useRef(new AbortController());
  const leaveTurn = (): void => {
    abort.current.abort();
    abort.current = new AbortController();
  };
  // Leaving the page cancels the turn.
  useEffect(() => () => abort.current.abort(), []);
  const keepNow = useKept(talk, (now) => {
    const sessionId = current.current;
    return sessionId === undefined ? undefined : () => keepTalk(id, sessionId, now);
  });
  useEffect(() => {
    if (current.current === session) return;
    keepNow();
    leaveTurn();
    current.current = session;
    setTalk(talkOf(id, session));
    setError(null);
  }, [id, session, keepNow]);

  const add = (entry: Said): void => setTalk((now) => ({ ...now, said: [...now.said, entry] }));
  const take = (messages: readonly TurnMessage[], mode: Mode): void => {
    const sessionId = (current.current ??= newTalkId());
    if (sessionId !== session) onSession(sessionId);
    setError(null);
    setTurns((now) => now + 1);
    const { signal } = abort.current;
    const start = performance.now();
    const update = (part: TurnUpdate): void => {
      const elapsedMs = Math.round(performance.now() - start);
      if (!signal.aborted) setTalk((now) => withPart(now, part, elapsedMs));
    };
    takeTurn({ id, messages, sessionId, approvalMode: mode }, update, signal)
      .catch((reason: Error) => !signal.aborted && setError(reason))
      .finally(() => setTurns((now) => now - 1));
  };
  const answer = (asked: AskedQuestion, content: string, mode: Mode): void => {
    const { question } = asked;
    setTalk(({ said }) => ({
      said: [...said, { by: 'question', question, decision: decisionOf(asked, content) }],
      question: null,
    }));
    take(answerTo(asked, content), mode);
  };
  return {
    ...talk,
    error,
    isBusy: turns > 0 || talk.question !== null,
    say: (text, mode) => {
      add({ by: 'you', text });
      take([{ role: 'user', content: text }], mode);
    },
    answer: (content, mode) => {
      if (talk.question) answer(talk.question, content, mode);
    },
    cancel: () => {
      // While a run waits for an answer, a disconnection does not end the run, so send an answer that cancels.
      if (talk.question) return answer(talk.question, cancelOf(talk.question), 'manual');
      leaveTurn();
      add({ by: 'intern', text: t('Cancelled.') });
    },
  };
}
