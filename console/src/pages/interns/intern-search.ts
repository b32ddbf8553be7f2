const TABS = ['talk', 'sessions', 'secrets', 'settings'] as const;
export type InternTab = (typeof TABS)[number];

export interface InternSearch {
  readonly tab?: InternTab;
  /** The session to continue. */
  readonly session?: string;
}

export const tabOf = (value: unknown): InternTab | undefined => TABS.find((name) => name === value);

/** Reads the search in an address and drops malformed members. */
export function internSearch({ tab, session }: Record<string, unknown>): InternSearch {
  const known = tabOf(tab);
  const isSession = typeof session === 'string' && session !== '';
  return { ...(known ? { tab: known } : {}), ...(isSession ? { session } : {}) };
}
