import { queryOptions } from '@tanstack/react-query';
import { api, body } from '../api/client';
import { QUERY_KEYS } from '../api/query-keys';
import type { components } from '../api/schema';
import { Listeners } from '../scope/listeners';

type Schemas = components['schemas'];
export type FoundNames = Schemas['NameLists'];
export type KeyName = Schemas['KeyNameRecord'];
export type PersonName = Schemas['PersonNameRecord'];

/** The names of each kind by id. */
export interface NameOf {
  readonly api_keys: KeyName;
  readonly users: PersonName;
  readonly workspaces: Schemas['WorkspaceNameRecord'];
  readonly interns: Schemas['InternNameRecord'];
}
export type NameKind = keyof NameOf;
export type IdsByKind = { readonly [K in NameKind]?: readonly string[] };

const KINDS = {
  api_keys: 'api_key_hashes',
  users: 'user_ids',
  workspaces: 'workspace_ids',
  interns: 'intern_ids',
} as const;
const KIND_NAMES = Object.keys(KINDS) as NameKind[];

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** The API refuses a request with anything but ids. */
const isId = (kind: NameKind, id: string): boolean => (kind === 'api_keys' ? /^[0-9a-f]{64}$/ : UUID).test(id);

/** The names for all rows of one rendering are requested together. */
const BATCH_MS = 10;
const MAX_IDS = 200;
const MAX_AGE_MS = 60_000;

interface Entry {
  /** Null = the object does not exist, or the session may not read its name. */
  readonly name: NameOf[NameKind] | null;
  /** The time of the request. */
  readonly readAt: number;
}

const known = new Map<string, Entry>();
const waiting = new Map<string, { kind: NameKind; id: string }>();
/** Ids in the request that is in progress. */
const loading = new Set<string>();
const listeners = new Listeners();
let version = 0;
/**
 * Set from the first waiting id until the response. Ids that are needed during a request are requested together by the
 * next request.
 */
let timer: ReturnType<typeof setTimeout> | undefined;
let changedAt = -Infinity;
let sessions = 0;

const placeOf = (kind: NameKind, id: string): string => `${kind} ${id}`;
const isFresh = (entry: Entry | undefined): boolean =>
  entry !== undefined && entry.readAt > changedAt && Date.now() - entry.readAt <= MAX_AGE_MS;

export const subscribeToNames = listeners.subscribe;

/** Grows with every change of the loaded names. */
export const namesVersion = (): number => version;

/** The name if it is loaded. Otherwise it is requested, together with other names that are needed at the same time. */
export function nameOf<K extends NameKind>(kind: K, id: string): NameOf[K] | undefined {
  const place = placeOf(kind, id);
  const entry = known.get(place);
  if (isId(kind, id) && !isFresh(entry) && !loading.has(place)) {
    waiting.set(place, { kind, id });
    timer ??= setTimeout(() => void readWaiting(), BATCH_MS);
  }
  return (entry?.name ?? undefined) as NameOf[K] | undefined;
}

/** Whether a name was requested and no response has arrived yet. */
export const isNamePending = (kind: NameKind, id: string): boolean => isId(kind, id) && !known.has(placeOf(kind, id));

async function readWaiting(): Promise<void> {
  const session = sessions;
  const asked = [...waiting.values()];
  const ids: Partial<Record<NameKind, string[]>> = {};
  for (const { kind, id } of asked) {
    (ids[kind] ??= []).push(id);
    loading.add(placeOf(kind, id));
  }
  waiting.clear();
  // After a failure, rows show ids; the first rendering after a minute requests the names again.
  await readNames(ids).catch(() => {
    if (session === sessions) remember(asked, emptyNames(), Date.now());
  });
  loading.clear();
  timer = waiting.size > 0 ? setTimeout(() => void readWaiting(), BATCH_MS) : undefined;
  listeners.notify();
}

/** Loads the missing names. Throws if the API fails. */
export async function readNames(ids: IdsByKind): Promise<void> {
  const missing = KIND_NAMES.flatMap((kind) =>
    [...new Set(ids[kind])]
      .filter((id) => isId(kind, id) && !isFresh(known.get(placeOf(kind, id))))
      .map((id) => ({ kind, id })),
  );
  const session = sessions;
  for (let at = 0; at < missing.length; at += MAX_IDS) {
    const part = missing.slice(at, at + MAX_IDS);
    const request = Object.fromEntries(
      KIND_NAMES.map((kind) => [KINDS[kind], part.filter((each) => each.kind === kind).map(({ id }) => id)]),
    );
    const readAt = Date.now();
    const { data } = await body(api.POST('/api/v1/names', { body: request }));
    if (session !== sessions) return;
    remember(part, data, readAt);
  }
}

/** Finds objects whose names contain the text, and loads their names. */
export const nameSearch = (query: string) =>
  queryOptions({ queryKey: QUERY_KEYS.nameSearch(query), queryFn: () => searchNames(query) });

async function searchNames(query: string): Promise<FoundNames> {
  const readAt = Date.now();
  const { data } = await body(api.POST('/api/v1/names/search', { body: { query } }));
  const asked = KIND_NAMES.flatMap((kind) => data[kind].map((name) => ({ kind, id: idOf(name) })));
  remember(asked, data, readAt);
  return data;
}

const idOf = (name: NameOf[NameKind]): string => ('hash' in name ? name.hash : name.id);
const emptyNames = (): FoundNames => ({ api_keys: [], users: [], workspaces: [], interns: [] });

function remember(asked: readonly { kind: NameKind; id: string }[], names: FoundNames, readAt: number): void {
  const found = new Map<string, NameOf[NameKind]>();
  for (const kind of KIND_NAMES) for (const name of names[kind]) found.set(placeOf(kind, idOf(name)), name);
  for (const { kind, id } of asked) {
    const place = placeOf(kind, id);
    known.set(place, { name: found.get(place) ?? null, readAt });
  }
  version += 1;
}

/** Call it when names have changed. Names on the screen stay until the new ones are loaded. */
export function namesChanged(): void {
  changedAt = Date.now();
  version += 1;
  listeners.notify();
}

/** Drops the names that an earlier session could read. */
export function forgetNames(): void {
  sessions += 1;
  known.clear();
  waiting.clear();
  version += 1;
}
