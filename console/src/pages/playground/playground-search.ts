import { present, textOf } from '../../scope/search-parameters';

export const MODES = ['chat', 'image', 'speech'] as const;
export type Mode = (typeof MODES)[number];
export const MAX_MODELS = 3;

export interface PlaygroundSearch {
  readonly mode?: Mode;
  readonly models?: readonly string[];
  /** The id of the shown conversation in this browser; absent = a new one. */
  readonly talk?: string;
}

/** Reads the search in an address and drops malformed members. */
export function playgroundSearch({ mode, models, talk }: Record<string, unknown>): PlaygroundSearch {
  const known = MODES.find((name) => name === mode);
  const list = Array.isArray(models) ? models.filter((id) => typeof id === 'string').slice(0, MAX_MODELS) : [];
  return present<PlaygroundSearch>({ mode: known, models: list.length > 0 ? list : undefined, talk: textOf(talk) });
}
