/** Limits of calls. Absent = no limit. */
export interface CallLimits {
  readonly requestsPerMinute?: number;
  readonly tokensPerMinute?: number;
  readonly maxConcurrent?: number;
}

/** The limits of calls that the settings of a key or of a workspace name. */
export interface CallLimitSettings extends CallLimits {
  /** By the id of the model. */
  readonly models?: Readonly<Record<string, CallLimits>>;
  /** For each end user by itself. */
  readonly eachEndUser?: CallLimits;
  /** Of a key: the calls that one session may make. */
  readonly sessionMaxCalls?: number;
}

/** The limits that the calls of a key count in, besides the requests of the key itself. */
export interface CallerLimits {
  readonly key?: CallLimitSettings;
  /** An intern's own key counts with its parent key. */
  readonly keyHash: string;
  readonly workspace?: CallLimitSettings;
}

/** What changes of the limits: null = none, undefined = stays. */
export type CallLimitChanges = {
  readonly [K in keyof CallLimitSettings]: CallLimitSettings[K] | null | undefined;
};

/** The limits with the changes; null where none is left, undefined where nothing changes. */
export function changedLimits(
  present: CallLimitSettings | null,
  changes: CallLimitChanges,
): CallLimitSettings | null | undefined {
  const named = Object.entries(changes).filter(([, value]) => value !== undefined);
  if (named.length === 0) return undefined;
  const left = Object.entries({ ...present, ...Object.fromEntries(named) }).filter(([, value]) => value !== null);
  return left.length > 0 ? Object.fromEntries(left) : null;
}
