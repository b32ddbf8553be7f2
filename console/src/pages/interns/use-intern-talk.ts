import { useEffect, useRef, useState, type RefObject } from 'react';
import { keepTalk, talkOf } from '../../talks/kept-talks';
import type { AskedQuestion, Said, Talk } from '../../talks/talk';
import {
  answerTo,
  cancelOf,
  decisionOf,
  newSessionId,
  takeTurn,
  type TurnMessage,
  type TurnUpdate,
} from './intern-turn';

type Mode = 'self-drive' | 'manual';

export interface InternTalk extends Talk {
  readonly error: Error | null;
  readonly isBusy: boolean;
  readonly say: (text: string, mode: Mode) => void;
  readonly answer: (content: string, mode: Mode) => void;
  readonly cancel: () => void;
}

const STEERED = 'Your message was added to the work under way.';
const KEEP_AFTER_MS = 200;

/**
 * A conversation with an intern. `onSession` is called with the id of the session that the first message begins;
 * a change of `session` to another one ends the turn and shows what was said in that one.
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
  useEffect(() => {
    if (current.current === session) return;
    leaveTurn();
    current.current = session;
    setTalk(talkOf(id, session));
    setError(null);
  }, [id, session]);
  useKept(id, current, talk);

  const add = (entry: Said): void => setTalk((now) => ({ ...now, said: [...now.said, entry] }));
  const take = (messages: readonly TurnMessage[], mode: Mode): void => {
    const sessionId = (current.current ??= newSessionId());
    if (sessionId !== session) onSession(sessionId);
    setError(null);
    setTurns((now) => now + 1);
    const { signal } = abort.current;
    const update = (part: TurnUpdate): void => {
      if (!signal.aborted) setTalk((now) => withPart(now, part));
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
      // A run that waits for an answer is not ended by leaving its stream.
      if (talk.question) return answer(talk.question, cancelOf(talk.question), 'manual');
      leaveTurn();
      add({ by: 'intern', text: 'Cancelled.' });
    },
  };
}

/** Keeps a conversation a moment after each change, and before it is left. */
function useKept(id: string, session: RefObject<string | undefined>, talk: Talk): void {
  const keep = useRef<() => void>(undefined);
  useEffect(() => {
    const sessionId = session.current;
    keep.current = sessionId === undefined ? undefined : () => keepTalk(id, sessionId, talk);
    const timer = setTimeout(() => keep.current?.(), KEEP_AFTER_MS);
    return () => clearTimeout(timer);
  }, [id, session, talk]);
  useEffect(() => {
    const keepNow = (): void => keep.current?.();
    addEventListener('pagehide', keepNow);
    return () => {
      removeEventListener('pagehide', keepNow);
      keepNow();
    };
  }, []);
}

/** Adds what arrived to the intern's last words. */
function withPart(talk: Talk, { text = '', reasoning = '', cost, question, isSteered }: TurnUpdate): Talk {
  const said = isSteered ? [...talk.said, { by: 'intern', text: STEERED } as const] : talk.said;
  const next = { said, question: question ?? talk.question };
  if (!text && !reasoning && cost === undefined) return next;
  const last = said.at(-1);
  if (last?.by !== 'intern') return { ...next, said: [...said, { by: 'intern', text, reasoning, cost }] };
  const more: Said = {
    by: 'intern',
    text: last.text + text,
    reasoning: (last.reasoning ?? '') + reasoning,
    cost: cost ?? last.cost,
  };
  return { ...next, said: said.with(said.length - 1, more) };
}
