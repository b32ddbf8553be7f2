export interface ConnectSearch {
  /** The hash of a key. */
  readonly key?: string;
  readonly model?: string;
}

const HASH = /^[0-9a-f]{64}$/;

/** Reads the search in an address and drops malformed members. */
export function connectSearch({ key, model }: Record<string, unknown>): ConnectSearch {
  return {
    ...(typeof key === 'string' && HASH.test(key) ? { key } : {}),
    ...(typeof model === 'string' && model !== '' ? { model } : {}),
  };
}
