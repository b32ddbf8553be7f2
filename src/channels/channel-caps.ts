import { Injectable } from '@nestjs/common';
import { AdmittedCall, CallLimiter } from '../rate-limits/call-limiter.js';
import type { CallLimit } from '../rate-limits/call-limit.js';
import type { CapSettings, Channel } from './channel.js';

/** The time at which another call ends is unknown, so a short wait is used. */
const CONCURRENT_WAIT_MS = 1_000;

/** A limit that a credential has reached. `ms`: the time in milliseconds after which a call can be tried again. */
export interface ReachedCap {
  readonly isConcurrency: boolean;
  readonly ms: number;
}

/** A call that was admitted by a credential's limits. */
export type CappedUse = Pick<AdmittedCall, 'addTokens' | 'release'>;

/** Counts calls against the limits of their credential. Billing enforces the spending limits, which are budgets. */
@Injectable()
export class ChannelCaps {
  constructor(private readonly limiter: CallLimiter) {}

  /** Counts a call, or returns the limit that is reached. Undefined if the credential has no limits. */
  take({ id, caps }: Channel): Promise<CappedUse | ReachedCap> | undefined {
    return caps && this.#take(limitsOf(`credential:${id}`, caps));
  }

  async #take(limits: readonly CallLimit[]): Promise<CappedUse | ReachedCap> {
    const taken = await this.limiter.take(limits);
    if (taken instanceof AdmittedCall) return taken;
    const isConcurrency = taken.limit.kind === 'concurrent';
    return { isConcurrency, ms: isConcurrency ? CONCURRENT_WAIT_MS : Math.max(1, taken.state.resetInMs) };
  }
}

/** A call counts as one token until its tokens are known. */
function limitsOf(key: string, { rpm, tpm, maxConcurrent }: CapSettings): CallLimit[] {
  const limits = [
    { kind: 'requests', key, max: rpm },
    { kind: 'tokens', key, max: tpm },
    { kind: 'concurrent', key, max: maxConcurrent },
  ] as const;
  return limits.flatMap(({ max, ...limit }) => (max === null ? [] : [{ ...limit, max }]));
}
