import { GatewayError } from '../../kernel/errors/errors.js';

const MAX_DRAINS = 64;
const MAX_DRAIN_MS = 60_000;

/** The signal of a call that may continue without its caller. */
interface DrainedCall {
  readonly signal: AbortSignal;
  /** Call it when the response has started. From then on, the response may be read without a caller. */
  readonly begin: () => void;
  /** Call it when the call has ended. */
  readonly end: () => void;
}

const NOTHING = (): void => undefined;

/**
 * Lets calls continue after their callers disconnected, so that the vendor's response is read to its end, because the
 * vendor's count is better than an estimate. At most 64 calls at a time, each for at most a minute.
 */
export class Drains {
  readonly #active = new Set<() => void>();
  #isClosed = false;

  /**
   * Aborts the signal when the caller disconnects. Delays the abort by MAX_DRAIN_MS if `drained` is true, the response
   * has started, and fewer than MAX_DRAINS other calls continue without their callers.
   */
  signalFor(caller: AbortSignal, drained: boolean): DrainedCall {
    if (!drained) return { signal: caller, begin: NOTHING, end: NOTHING };
    const controller = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    let hasBegun = false;
    const stop = (): void => controller.abort(new GatewayError('caller_gone', 'The caller disconnected'));
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

  /** Ends all calls that continue without their callers, and allows no more. */
  close(): void {
    this.#isClosed = true;
    for (const stop of this.#active) stop();
  }
}
