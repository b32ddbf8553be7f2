import { GatewayError } from '../../kernel/errors/errors.js';

const MAX_DRAINS = 64;
const MAX_DRAIN_MS = 60_000;

/** The signal of a call that may go on without its caller. */
export interface DrainedCall {
  readonly signal: AbortSignal;
  /** The response has begun: from here on it may be read without a reader. */
  readonly begin: () => void;
  /** The call is over. */
  readonly end: () => void;
}

const NOTHING = (): void => undefined;

/**
 * Reads the vendor's response to its end after the caller left, where the vendor bills to the end anyway: its own count
 * is better than an estimate. At most 64 calls at a time, each for at most a minute.
 */
export class Drains {
  readonly #active = new Set<() => void>();
  #isClosed = false;

  /**
   * Aborted when the caller leaves; where the vendor is `drained` and its response has begun, only when its time is
   * over as well.
   */
  signalFor(caller: AbortSignal, drained: boolean): DrainedCall {
    if (!drained) return { signal: caller, begin: NOTHING, end: NOTHING };
    const controller = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    let hasBegun = false;
    const stop = (): void => controller.abort(new GatewayError('caller_gone', 'The caller left'));
    const onLeft = (): void => {
      if (!hasBegun || this.#isClosed || this.#active.size >= MAX_DRAINS) return stop();
      this.#active.add(stop);
      timer = setTimeout(stop, MAX_DRAIN_MS);
    };
    if (caller.aborted) stop();
    else caller.addEventListener('abort', onLeft);
    return {
      signal: controller.signal,
      begin: () => void (hasBegun = true),
      end: () => {
        caller.removeEventListener('abort', onLeft);
        this.#active.delete(stop);
        clearTimeout(timer);
      },
    };
  }

  /** Ends all calls that go on without their callers, and lets no more do so. */
  close(): void {
    this.#isClosed = true;
    for (const stop of this.#active) stop();
  }
}
