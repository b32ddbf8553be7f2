import { useMemo, useSyncExternalStore } from 'react';
import { nameOf, namesVersion, subscribeToNames } from './name-store';
import { t } from '../text/translate';

const SHORT = 12;

/** Display texts for ids. A name that the session may not read, or that has not been loaded, is shown as a short id. */
export interface Names {
  readonly key: (hash: string) => string;
  readonly person: (userId: string) => string;
  readonly workspace: (id: string) => string;
  readonly intern: (id: string) => string;
}

/** The first characters of an id. */
export const shortOf = (id: string): string => id.slice(0, SHORT);

function keyText(hash: string): string {
  const key = nameOf('api_keys', hash);
  if (!key) return shortOf(hash);
  const name =
    key.of_session && key.creator_user_id
      ? t('Session of {person}', { person: personText(key.creator_user_id) })
      : key.name;
  // The key of a session is deleted with the session, so the suffix would say nothing new.
  return key.deleted && !key.of_session ? t('{name} (deleted)', { name }) : name;
}

function personText(userId: string): string {
  const person = nameOf('users', userId);
  if (!person) return shortOf(userId);
  return person.is_member ? person.name : t('{name} (left)', { name: person.name });
}

function workspaceText(id: string): string {
  const workspace = nameOf('workspaces', id);
  if (!workspace) return shortOf(id);
  return workspace.deleted ? t('{name} (deleted)', { name: workspace.name }) : workspace.name;
}

/** Does not wait for names that are not loaded. Exports therefore call `readNames` first. */
export const NAMES: Names = {
  key: keyText,
  person: personText,
  workspace: workspaceText,
  intern: (id) => nameOf('interns', id)?.name ?? shortOf(id),
};

/** The names of ids, loaded together for all rows on the screen. Returns a new object after names have been loaded. */
export function useNames(): Names {
  const version = useSyncExternalStore(subscribeToNames, namesVersion);
  return useMemo(() => ({ ...NAMES }), [version]);
}
