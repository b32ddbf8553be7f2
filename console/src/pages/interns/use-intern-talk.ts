import { useEffect, useRef, useState } from 'react';
import { answerTo, cancelOf, takeTurn, type AskedQuestion, type TurnMessage, type TurnUpdate } from './intern-turn';

export interface Said {
  readonly by: 'you' | 'intern';
  readonly text: string;
  readonly reasoning?: string;
  /** USD, of the turn. */
  readonly cost?: number;
}

type Mode = 'self-drive' | 'manual';

export interface InternTalk {
  readonly said: readonly Said[];
  readonly question: AskedQuestion | null;
  readonly error: Error | null;
  readonly isBusy: boolean;
  readonly say: (text: string, mode: Mode) => void;
  readonly answer: (content: string, mode: Mode) => void;
  readonly cancel: () => void;
  readonly startOver: () => void;
}

const STEERED = 'Your message was added to the work under way.';

/** The state of a conversation with an intern; its transcript is on the intern's disk. */
export function useInternTalk(id: string, continued: string | undefined): InternTalk {
  const [said, setSaid] = useState<readonly Said[]>([]);
  const [question, setQuestion] = useState<AskedQuestion | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const [turns, setTurns] = useState(0);
  const session = useRef(continued);
  const abort = useRef(new AbortController());
  // Leaving the page cancels the turn.
  useEffect(() => () => abort.current.abort(), []);

  const update = (part: TurnUpdate): void => {
    if (part.sessionId) session.current = part.sessionId;
    if (part.question) setQuestion(part.question);
    if (part.isSteered) setSaid((now) => [...now, { by: 'intern', text: STEERED }]);
    if (part.text || part.reasoning || part.cost !== undefined) setSaid((now) => withPart(now, part));
  };
  const take = (messages: readonly TurnMessage[], mode: Mode): void => {
    setError(null);
    setTurns((now) => now + 1);
    const { signal } = abort.current;
    takeTurn({ id, messages, sessionId: session.current, approvalMode: mode }, update, signal)
      .catch((reason: Error) => setError(signal.aborted ? null : reason))
      .finally(() => setTurns((now) => now - 1));
  };
  return {
    said,
    question,
    error,
    isBusy: turns > 0 || question !== null,
    say: (text, mode) => {
      setSaid((now) => [...now, { by: 'you', text }]);
      take([{ role: 'user', content: text }], mode);
    },
    answer: (content, mode) => {
      if (!question) return;
      setQuestion(null);
      take(answerTo(question, content), mode);
    },
    cancel: () => {
      // A run that waits for an answer is not ended by leaving its stream.
      if (question) {
        setQuestion(null);
        take(answerTo(question, cancelOf(question)), 'manual');
        return;
      }
      abort.current.abort();
      abort.current = new AbortController();
      setSaid((now) => [...now, { by: 'intern', text: 'Cancelled.' }]);
    },
    startOver: () => {
      session.current = undefined;
      setSaid([]);
      setError(null);
    },
  };
}

/** Adds what arrived to the intern's last words. */
function withPart(said: readonly Said[], { text = '', reasoning = '', cost }: TurnUpdate): readonly Said[] {
  const last = said.at(-1);
  if (last?.by !== 'intern') return [...said, { by: 'intern', text, reasoning, cost }];
  return said.with(said.length - 1, {
    by: 'intern',
    text: last.text + text,
    reasoning: (last.reasoning ?? '') + reasoning,
    cost: cost ?? last.cost,
  });
}
