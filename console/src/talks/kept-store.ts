import type { Session } from '../api/records';
import { Listeners } from '../scope/listeners';

/**
 * Conversations that are stored in this browser, because the API cannot return them. They belong to one person. They
 * are deleted when that person signs out or another one signs in.
 */
const PREFIX = 'gatehouse.talk.';
const OWNER = 'gatehouse.talks-of';
const ID_BYTES = 16;

let owner: string | null = null;
let changes = 0;
const listeners = new Listeners();

function changed(): void {
  changes++;
  listeners.notify();
}

/** Storage may be refused, full, or changed by hand. Returns undefined then. */
function tried<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

const keysBelow = (prefix: string): string[] => Object.keys(localStorage).filter((key) => key.startsWith(prefix));

/** Whether the conversations belong to the person signed in here. Another tab may have signed out. */
const isOwners = (): boolean => owner !== null && tried(() => localStorage.getItem(OWNER)) === owner;

/** Called with each session that was read. For a session without a user, nothing is stored. */
export function openTalks(session: Session | null): void {
  owner = session?.user ? `${session.account_id}/${session.user.id}` : null;
  if (session && !isOwners()) {
    forgetTalks();
    if (owner !== null) tried(() => localStorage.setItem(OWNER, owner!));
  }
}

/**
 * Deletes all conversations, and stores nothing until the next session. Listeners are not called, because components
 * that show conversations are not rendered without a session.
 */
export function forgetTalks(): void {
  tried(() => [OWNER, ...keysBelow(PREFIX)].forEach((key) => localStorage.removeItem(key)));
}

/** The id of a new conversation. `crypto.randomUUID` is absent on plain HTTP. */
export const newTalkId = (): string =>
  [...crypto.getRandomValues(new Uint8Array(ID_BYTES))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

interface KeptOptions<Entry> {
  /** The part of the storage keys that distinguishes this kind of conversation from other kinds. */
  readonly kind: string;
  /** The maximum number of entries. If there are more, the oldest entries are deleted. */
  readonly maxEntries: number;
  /** The maximum size of all entries. A browser stores about five million characters per origin. */
  readonly maxCharacters: number;
  /** Whether a stored value is a valid entry. */
  readonly isEntry: (value: Partial<Entry>) => boolean;
}

export type Kept<Entry> = Entry & { readonly id: string; readonly keptAt: number };

/** The stored conversations of one kind. */
export class KeptStore<Entry extends object> {
  constructor(private readonly options: KeptOptions<Entry>) {}

  read(id: string): Kept<Entry> | undefined {
    return isOwners() ? this.#entry(this.#keyOf(id)) : undefined;
  }

  /** All entries, newest first. */
  all(): Kept<Entry>[] {
    if (!isOwners()) return [];
    const entries = (tried(() => keysBelow(this.#prefix)) ?? []).map((key) => this.#entry(key));
    return entries.filter((entry) => entry !== undefined).toSorted((a, b) => b.keptAt - a.keptAt);
  }

  keep(id: string, entry: Entry): void {
    if (!isOwners()) return;
    const members = JSON.stringify(entry).slice(0, -1);
    const text = `${members},"keptAt":${Date.now()}}`;
    tried(() => {
      // An unchanged entry keeps its time.
      if (localStorage.getItem(this.#keyOf(id))?.startsWith(`${members},"keptAt":`)) return;
      this.#forgetOldest(this.#keyOf(id), text.length);
      localStorage.setItem(this.#keyOf(id), text);
    });
    changed();
  }

  /** Deletes the entries whose ids match. */
  forget(isForgotten: (id: string) => boolean): void {
    tried(() => {
      for (const key of keysBelow(this.#prefix))
        if (isForgotten(key.slice(this.#prefix.length))) localStorage.removeItem(key);
    });
    changed();
  }

  get #prefix(): string {
    return `${PREFIX}${this.options.kind}.`;
  }

  #keyOf(id: string): string {
    return this.#prefix + id;
  }

  #entry(key: string): Kept<Entry> | undefined {
    const value = tried(() => JSON.parse(localStorage.getItem(key) ?? 'null') as Kept<Entry> | null);
    const isEntry = typeof value === 'object' && value !== null && typeof value.keptAt === 'number';
    return isEntry && this.options.isEntry(value) ? { ...value, id: key.slice(this.#prefix.length) } : undefined;
  }

  /** Deletes the oldest entries to free space for a new one of this size. */
  #forgetOldest(newKey: string, characters: number): void {
    let left = this.options.maxCharacters - characters;
    const others = keysBelow(this.#prefix).filter((key) => key !== newKey);
    const used = others.reduce((sum, key) => sum + (localStorage.getItem(key)?.length ?? 0), 0);
    // Check the sizes before parsing the entries, which can be megabytes.
    if (used <= left && others.length < this.options.maxEntries) return;
    const byAge = others
      .map((key) => ({ key, keptAt: this.#entry(key)?.keptAt ?? 0 }))
      .toSorted((a, b) => b.keptAt - a.keptAt);
    for (const [at, { key }] of byAge.entries()) {
      left -= localStorage.getItem(key)?.length ?? 0;
      if (left < 0 || at + 1 >= this.options.maxEntries) localStorage.removeItem(key);
    }
  }
}

/** For useSyncExternalStore: changes when conversations change, including changes in other tabs. */
export const talkChanges = {
  subscribe: (listener: () => void): (() => void) => {
    // A second call with the same function has no effect.
    addEventListener('storage', changed);
    return listeners.subscribe(listener);
  },
  snapshot: (): number => changes,
};
