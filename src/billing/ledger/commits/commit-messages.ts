import type { MetricFamily } from '../../../telemetry/metric-family.js';
import type { FinishItem, LeasedFinishItem, ReserveItem } from './ledger-commits.port.js';

/**
 * An item for the committer. `leftMs`: the time in milliseconds for which the caller waits for the outcome of a
 * reservation; null = no limit.
 */
export type CommitRequest =
  | { readonly of: 'reserve'; readonly item: ReserveItem; readonly leftMs: number | null }
  | { readonly of: 'finish'; readonly item: FinishItem }
  | { readonly of: 'finishLeased'; readonly item: LeasedFinishItem };

/** The outcome of an item, or the reason why there is none. */
export type CommitResponse =
  { readonly outcome: string } | { readonly failure: string; readonly isUnavailable: boolean };

/** A message from the parent process to the committer. */
export type ToCommitter =
  | {
      readonly kind: 'start';
      readonly socket: string;
      readonly databaseUrl: string;
      readonly pooled: boolean;
      readonly leaseMs: number;
      readonly timeoutMs: number;
    }
  | { readonly kind: 'collect'; readonly id: number }
  | { readonly kind: 'stop' };

export type FromCommitter =
  | { readonly kind: 'listening' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'log'; readonly message: string }
  | { readonly kind: 'metrics'; readonly id: number; readonly families: readonly MetricFamily[] };
