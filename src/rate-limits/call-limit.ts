/** What a limit counts: requests or tokens in a minute, calls at once, or the calls of one session. */
export type CallLimitKind = 'requests' | 'tokens' | 'concurrent' | 'session';

/** A limit that a call counts against. Limits with one kind and one key share a count. */
export interface CallLimit {
  readonly kind: CallLimitKind;
  /** Who counts, such as `workspace:<id>` or `credential:<id>`. */
  readonly key: string;
  readonly max: number;
  /** What the call adds; default 1. Always 1 for `concurrent`. */
  readonly points?: number;
}

export interface LimitState {
  /** What is counted; for a call that was admitted with what it added. */
  readonly used: number;
  /** Milliseconds until the window ends, or until the place of a dead process is free at the latest. */
  readonly resetInMs: number;
}

/** How a call was counted: against all of its limits, or against none. */
export interface CountOutcome {
  /** The index of the first limit that is full; null = the call is admitted. */
  readonly full: number | null;
  /** In the order of the limits. */
  readonly states: readonly LimitState[];
}

/** A window of a fixed length begins with its first call. That of a session begins again with each call. */
export const WINDOW_MS: Readonly<Record<Exclude<CallLimitKind, 'concurrent'>, number>> = {
  requests: 60_000,
  tokens: 60_000,
  session: 86_400_000,
};

export const pointsOf = ({ points = 1 }: CallLimit): number => points;
