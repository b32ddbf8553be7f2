export const MODES = ['chat', 'image', 'speech'] as const;
export type Mode = (typeof MODES)[number];
export const MAX_MODELS = 3;

export interface PlaygroundSearch {
  readonly mode?: Mode;
  readonly models?: readonly string[];
}

/** Keeps what is well-formed of an address. */
export function playgroundSearch({ mode, models }: Record<string, unknown>): PlaygroundSearch {
  const known = MODES.find((name) => name === mode);
  const list = Array.isArray(models) ? models.filter((id) => typeof id === 'string').slice(0, MAX_MODELS) : [];
  return { ...(known ? { mode: known } : {}), ...(list.length > 0 ? { models: list } : {}) };
}
