import { Injectable } from '@nestjs/common';
import type { Channel } from './channel.js';

const WINDOW_MS = 60_000;
/** A place becomes free when some call ends: nobody knows when. */
const CONCURRENT_WAIT_MS = 1_000;

/** Which limit of a credential's is reached, and for how long at most. */
export interface ReachedCap {
  readonly cap: 'rpm' | 'tpm' | 'max_concurrent';
  readonly ms: number;
}

/** A call that a credential's limits have admitted. */
export interface CappedUse {
  /** The tokens that the vendor counted. */
  addTokens(tokens: number): void;
  /** The call is over. Further calls have no effect. */
  release(): void;
}

interface Counts {
  startedAt: number;
  requests: number;
  tokens: number;
  underWay: number;
}

/**
 * Counts the calls of credentials against their own limits, in this process. A window of a minute begins with a
 * credential's first call. Sums of money are budgets, which billing holds (`credential_id` of their scope).
 */
@Injectable()
export class ChannelCaps {
  readonly #counts = new Map<string, Counts>();

  /** Counts a call, or says which limit is reached. Undefined where the credential has no limits. */
  take({ id, caps }: Channel): CappedUse | ReachedCap | undefined {
    if (!caps) return undefined;
    const counts = this.#countsOf(id);
    const leftMs = Math.max(1, counts.startedAt + WINDOW_MS - performance.now());
    if (caps.rpm !== null && counts.requests >= caps.rpm) return { cap: 'rpm', ms: leftMs };
    if (caps.tpm !== null && counts.tokens >= caps.tpm) return { cap: 'tpm', ms: leftMs };
    if (caps.maxConcurrent !== null && counts.underWay >= caps.maxConcurrent)
      return { cap: 'max_concurrent', ms: CONCURRENT_WAIT_MS };
    counts.requests++;
    counts.underWay++;
    return new CountedUse(() => this.#countsOf(id));
  }

  #countsOf(id: string): Counts {
    const now = performance.now();
    let counts = this.#counts.get(id);
    if (!counts) this.#counts.set(id, (counts = { startedAt: now, requests: 0, tokens: 0, underWay: 0 }));
    if (now - counts.startedAt >= WINDOW_MS) {
      counts.startedAt = now;
      counts.requests = 0;
      counts.tokens = 0;
    }
    return counts;
  }
}

class CountedUse implements CappedUse {
  #isReleased = false;

  constructor(private readonly counts: () => Counts) {}

  addTokens(tokens: number): void {
    this.counts().tokens += tokens;
  }

  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.counts().underWay--;
  }
}
