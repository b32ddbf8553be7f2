import type { AnalyticsPlan, AnalyticsResult } from '../../analytics-query.js';

/** What the follower needs to work. It arrives as a message, because a command line or environment could be read by others. */
export interface FollowerOptions {
  readonly databaseUrl: string;
  readonly folder: string;
  readonly threads: number;
  readonly memoryMb: number;
  /** Calls older than this many days are forgotten; null = never. */
  readonly retentionDays: number | null;
}

export type ToFollower =
  | { readonly kind: 'start'; readonly options: FollowerOptions }
  | { readonly kind: 'read'; readonly id: number; readonly plan: AnalyticsPlan }
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: 'stop' };

/** `filling`: the records that were there before are still being copied, so that answers would be too small. */
export type FollowerPhase = 'filling' | 'following';

export type FromFollower =
  | { readonly kind: 'phase'; readonly phase: FollowerPhase }
  | { readonly kind: 'result'; readonly id: number; readonly result: AnalyticsResult }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string }
  | { readonly kind: 'log'; readonly message: string };
