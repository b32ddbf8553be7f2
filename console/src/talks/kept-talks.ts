import { KeptStore } from './kept-store';
import { bounded, EMPTY_TALK, type Talk } from './talk';

/** The default of INTERN_ANSWER_TIMEOUT_MS: how long a question can be answered. */
const ANSWER_MS = 300_000;

/** Conversations with interns, by intern and session. */
const talks = new KeptStore<Talk>({
  kind: 'intern',
  maxEntries: 20,
  maxCharacters: 2_000_000,
  isEntry: ({ said }) => Array.isArray(said),
});

export interface WaitingQuestion {
  readonly internId: string;
  readonly sessionId: string;
}

const idOf = (internId: string, sessionId: string): string => JSON.stringify([internId, sessionId]);
const placeOf = (id: string): [internId: string, sessionId: string] => JSON.parse(id) as [string, string];

export function talkOf(internId: string, sessionId: string | undefined): Talk {
  const talk = sessionId === undefined ? undefined : talks.read(idOf(internId, sessionId));
  return talk ? { said: talk.said, question: talk.question } : EMPTY_TALK;
}

export function keepTalk(internId: string, sessionId: string, talk: Talk): void {
  if (talk.said.length > 0 || talk.question) talks.keep(idOf(internId, sessionId), bounded(talk));
}

/** Deletes a conversation, or all conversations with an intern. */
export function forgetTalk(internId: string, sessionId?: string): void {
  talks.forget((id) => {
    const [intern, session] = placeOf(id);
    return intern === internId && (sessionId ?? session) === session;
  });
}

/** The questions that were shown in this browser and can still be answered. */
export function waitingQuestions(): WaitingQuestion[] {
  const since = Date.now() - ANSWER_MS;
  return talks
    .all()
    .filter(({ question }) => question && question.askedAt > since)
    .map(({ id }) => {
      const [internId, sessionId] = placeOf(id);
      return { internId, sessionId };
    });
}
