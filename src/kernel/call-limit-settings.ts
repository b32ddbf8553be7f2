/** Limits of calls. Absent = no limit. */
export interface CallLimits {
  readonly requestsPerMinute?: number;
  readonly tokensPerMinute?: number;
  readonly maxConcurrent?: number;
}

/** The limits of calls in the settings of a key or of a workspace. */
export interface CallLimitSettings extends CallLimits {
  /** By the id of the model. */
  readonly models?: Readonly<Record<string, CallLimits>>;
  /** Applied to each end user separately. */
  readonly eachEndUser?: CallLimits;
  /** The calls that one session of a key may make. */
  readonly sessionMaxCalls?: number;
}

/** The limits that apply to the calls of a key, besides the key's own rate limit. */
export interface CallerLimits {
  readonly key?: CallLimitSettings;
  /** The hash of the key that the calls count for. An intern's own key shares the counts of its parent key. */
  readonly keyHash: string;
  readonly workspace?: CallLimitSettings;
}

/** Changes of limits: null removes a limit, undefined keeps it. */
export type CallLimitChanges = {
  readonly [K in keyof CallLimitSettings]: CallLimitSettings[K] | null | undefined;
};

/** The limits after the changes. Null if no limit is left, undefined if nothing changes. */
export function changedLimits(
  present: CallLimitSettings | null,
  changes: CallLimitChanges,
): CallLimitSettings | null | undefined {
  const named = Object.entries(changes).filter(([, value]) => value !== undefined);
  if (named.length === 0) return undefined;
  const left = Object.entries({ ...present, ...Object.fromEntries(named) }).filter(([, value]) => value !== null);
  return left.length > 0 ? Object.fromEntries(left) : null;
}
