import type { AnalyticsPlan, AnalyticsResult } from '../../analytics-query.js';
import type { CallListPlan, StoredCalls } from '../../call-list.js';

/** The follower's options. They are sent as a message, because other users can read a command line or environment. */
export interface FollowerOptions {
  readonly databaseUrl: string;
  /** Whether `databaseUrl` may be the address of a pooler that shares backends between transactions. */
  readonly pooled?: boolean;
  readonly folder: string;
  readonly threads: number;
  readonly memoryMb: number;
  /** Calls older than this many days are deleted; null = never. */
  readonly retentionDays: number | null;
}

/** A read of the store: an aggregate query or a list of calls. */
export type Read =
  { readonly of: 'figures'; readonly plan: AnalyticsPlan } | { readonly of: 'calls'; readonly plan: CallListPlan };
export type ReadResult = AnalyticsResult | StoredCalls;

export type ToFollower =
  | { readonly kind: 'start'; readonly options: FollowerOptions }
  | ({ readonly kind: 'read'; readonly id: number } & Read)
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: 'stop' };

/** `filling`: existing records are still being copied, so results would be incomplete. */
export type FollowerPhase = 'filling' | 'following';

export type FromFollower =
  /** `isCaughtUp`: the store has every call that had been recorded at the time of its last read. */
  | { readonly kind: 'phase'; readonly phase: FollowerPhase; readonly isCaughtUp: boolean }
  | { readonly kind: 'result'; readonly id: number; readonly result: ReadResult }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string }
  | { readonly kind: 'log'; readonly message: string };
