/** The kinds of limits: requests or tokens per minute, concurrent calls, and the calls of one session. */
export type CallLimitKind = 'requests' | 'tokens' | 'concurrent' | 'session';

/** A limit that a call counts against. Limits with the same kind and the same key share a count. */
export interface CallLimit {
  readonly kind: CallLimitKind;
  /** The owner of the count, such as `workspace:<id>` or `credential:<id>`. */
  readonly key: string;
  readonly max: number;
  /** The points that the call adds; default 1. Always 1 for `concurrent`. */
  readonly points?: number;
}

export interface LimitState {
  /** The current count. For an admitted call it includes the added points. */
  readonly used: number;
  /**
   * Milliseconds until the window ends. For `concurrent`: the length of a lease, after which a call of a dead process
   * no longer counts.
   */
  readonly resetInMs: number;
}

/** How a call was counted: against all of its limits, or against none. */
export interface CountOutcome {
  /** The index of the first limit that is reached; null = the call is admitted. */
  readonly full: number | null;
  /** In the order of the limits. */
  readonly states: readonly LimitState[];
}

/** A window has a fixed length and begins with its first call. The window of a session restarts with each call. */
export const WINDOW_MS: Readonly<Record<Exclude<CallLimitKind, 'concurrent'>, number>> = {
  requests: 60_000,
  tokens: 60_000,
  session: 86_400_000,
};

export const pointsOf = ({ points = 1 }: CallLimit): number => points;
