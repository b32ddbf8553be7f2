import type { CallLimit, CountOutcome } from './call-limit.js';

/** An admitted call that counts against a limit of kind `concurrent`. */
export interface ConcurrentPlace {
  readonly key: string;
  readonly callId: string;
}

/** A request from a worker to its supervisor, which counts the calls of all workers. */
export type CallCountRequest =
  | { readonly op: 'take'; readonly callId: string; readonly limits: readonly CallLimit[] }
  | { readonly op: 'add'; readonly limits: readonly CallLimit[] }
  | { readonly op: 'renew' | 'release'; readonly places: readonly ConcurrentPlace[] };

/**
 * Counts calls against their limits. A concurrent call holds a lease: it stops counting after RESERVATION_LEASE_MS
 * unless the lease is renewed, so that the calls of a dead process stop counting. No method rejects.
 */
export abstract class CallCounters {
  /** Counts the call against all limits, or against none if one of them is reached. */
  abstract take(callId: string, limits: readonly CallLimit[]): Promise<CountOutcome>;
  /** Adds points to the counts of the limits, even beyond the maximum. Negative points never make a count negative. */
  abstract add(limits: readonly CallLimit[]): Promise<void>;
  /** Renews leases. A lost lease is created again, even beyond the maximum. */
  abstract renew(places: readonly ConcurrentPlace[]): Promise<void>;
  abstract release(places: readonly ConcurrentPlace[]): Promise<void>;
}
