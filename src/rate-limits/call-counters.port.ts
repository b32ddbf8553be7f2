import type { CallLimit, CountOutcome } from './call-limit.js';

/** An admitted call at a limit of kind `concurrent`. */
export interface ConcurrentPlace {
  readonly key: string;
  readonly callId: string;
}

/** What a worker asks its supervisor to count, for all workers. */
export type CallCountRequest =
  | { readonly op: 'take'; readonly callId: string; readonly limits: readonly CallLimit[] }
  | { readonly op: 'add'; readonly limits: readonly CallLimit[] }
  | { readonly op: 'renew' | 'release'; readonly places: readonly ConcurrentPlace[] };

/**
 * Counts calls against their limits. A place is a lease: it is free after RESERVATION_LEASE_MS unless it is renewed, so
 * that the calls of a process that died stop counting. No method rejects.
 */
export abstract class CallCounters {
  /** Counts the call against all limits, or against none where one of them is full. */
  abstract take(callId: string, limits: readonly CallLimit[]): Promise<CountOutcome>;
  /** Adds the points of the limits, full or not. Negative points are not below what the window has. */
  abstract add(limits: readonly CallLimit[]): Promise<void>;
  /** Places that were lost are taken again, full or not. */
  abstract renew(places: readonly ConcurrentPlace[]): Promise<void>;
  abstract release(places: readonly ConcurrentPlace[]): Promise<void>;
}
