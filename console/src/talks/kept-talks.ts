import type { Session } from '../api/records';
import { bounded, EMPTY_TALK, type Talk } from './talk';

/**
 * Conversations with interns, kept in this browser: the API has no operation that reads a transcript. They belong to
 * one person, and are deleted when that person signs out or another one signs in.
 */
const PREFIX = 'gatehouse.talk.';
const OWNER = 'gatehouse.talks-of';
const MAX_TALKS = 20;
/** The default of INTERN_ANSWER_TIMEOUT_MS: how long a question waits. */
const ANSWER_MS = 300_000;

export interface WaitingQuestion {
  readonly internId: string;
  readonly sessionId: string;
}

type KeptTalk = Talk & WaitingQuestion & { readonly keptAt: number };

let owner: string | null = null;
let changes = 0;
const listeners = new Set<() => void>();

function changed(): void {
  changes++;
  for (const listener of listeners) listener();
}

const keyOf = (internId: string, sessionId: string): string => PREFIX + JSON.stringify([internId, sessionId]);

/** Storage may be refused, full, or changed by hand: then there is nothing to read. */
function tried<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

const talkKeys = (): string[] => Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));

function read(key: string): KeptTalk | undefined {
  const talk = tried(() => JSON.parse(localStorage.getItem(key) ?? 'null') as KeptTalk | null);
  return talk && Array.isArray(talk.said) ? talk : undefined;
}

/** Whether the conversations belong to the person who is signed in here: another tab may have signed out. */
const isOwners = (): boolean => owner !== null && tried(() => localStorage.getItem(OWNER)) === owner;

/** Called with each session that was read. A session without a person keeps nothing. */
export function openTalks(session: Session | null): void {
  owner = session?.user ? `${session.account_id}/${session.user.id}` : null;
  if (session && !isOwners()) {
    forgetTalks();
    if (owner !== null) tried(() => localStorage.setItem(OWNER, owner!));
  }
}

/**
 * Deletes all conversations; nothing is kept until the next session. Listeners are not called, because components that
 * show conversations are not rendered without a session.
 */
export function forgetTalks(): void {
  tried(() => [OWNER, ...talkKeys()].forEach((key) => localStorage.removeItem(key)));
}

export function talkOf(internId: string, sessionId: string | undefined): Talk {
  const talk = sessionId !== undefined && isOwners() ? read(keyOf(internId, sessionId)) : undefined;
  return talk ? { said: talk.said, question: talk.question } : EMPTY_TALK;
}

export function keepTalk(internId: string, sessionId: string, talk: Talk): void {
  if (!isOwners() || (talk.said.length === 0 && !talk.question)) return;
  const kept: KeptTalk = { ...bounded(talk), internId, sessionId, keptAt: Date.now() };
  tried(() => {
    localStorage.setItem(keyOf(internId, sessionId), JSON.stringify(kept));
    forgetOldest();
  });
  changed();
}

function forgetOldest(): void {
  const keys = talkKeys();
  if (keys.length <= MAX_TALKS) return;
  const byAge = keys.map((key) => ({ key, keptAt: read(key)?.keptAt ?? 0 })).toSorted((a, b) => b.keptAt - a.keptAt);
  for (const { key } of byAge.slice(MAX_TALKS)) localStorage.removeItem(key);
}

/** Deletes a conversation, or all with an intern. */
export function forgetTalk(internId: string, sessionId?: string): void {
  tried(() => {
    for (const key of talkKeys()) {
      const [intern, session] = JSON.parse(key.slice(PREFIX.length)) as [string, string];
      if (intern === internId && (sessionId ?? session) === session) localStorage.removeItem(key);
    }
  });
  changed();
}

/** The questions that were asked in this browser and can still be answered. */
export function waitingQuestions(): WaitingQuestion[] {
  if (!isOwners()) return [];
  const since = Date.now() - ANSWER_MS;
  return (tried(talkKeys) ?? [])
    .map(read)
    .filter((talk) => talk?.question && talk.question.askedAt > since)
    .map((talk) => ({ internId: talk!.internId, sessionId: talk!.sessionId }));
}

/** For useSyncExternalStore: changes with the conversations, in other tabs too. */
export const talkChanges = {
  subscribe: (listener: () => void): (() => void) => {
    if (listeners.size === 0) addEventListener('storage', changed);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) removeEventListener('storage', changed);
    };
  },
  snapshot: (): number => changes,
};
