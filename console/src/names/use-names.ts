import { useMemo, useSyncExternalStore } from 'react';
import { nameOf, namesVersion, subscribeToNames } from './name-store';

const SHORT = 12;

/** Texts for ids. What the session may not read, and what is not read yet, is a short id. */
export interface Names {
  readonly key: (hash: string) => string;
  readonly person: (userId: string) => string;
  readonly workspace: (id: string) => string;
  readonly intern: (id: string) => string;
}

const shortOf = (id: string): string => id.slice(0, SHORT);

function keyText(hash: string): string {
  const key = nameOf('api_keys', hash);
  if (!key) return shortOf(hash);
  const name = key.of_session && key.creator_user_id ? `Session of ${personText(key.creator_user_id)}` : key.name;
  // Keys of sessions are deleted with them, which says nothing.
  return key.deleted && !key.of_session ? `${name} (deleted)` : name;
}

function personText(userId: string): string {
  const person = nameOf('users', userId);
  if (!person) return shortOf(userId);
  return person.is_member ? person.name : `${person.name} (left)`;
}

function workspaceText(id: string): string {
  const workspace = nameOf('workspaces', id);
  if (!workspace) return shortOf(id);
  return workspace.deleted ? `${workspace.name} (deleted)` : workspace.name;
}

/** The texts as they are known now; for files, after `readNames`. */
export const NAMES: Names = {
  key: keyText,
  person: personText,
  workspace: workspaceText,
  intern: (id) => nameOf('interns', id)?.name ?? shortOf(id),
};

/** The names of ids, read together for all rows on the screen. The object is another one when names have come. */
export function useNames(): Names {
  const version = useSyncExternalStore(subscribeToNames, namesVersion);
  return useMemo(() => ({ ...NAMES }), [version]);
}
