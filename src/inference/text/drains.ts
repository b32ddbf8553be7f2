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
 * After the caller disconnected, reads the vendor's response to its end if the vendor bills the whole response anyway,
 * because the vendor's count is better than an estimate. At most 64 calls at a time, each for at most a minute.
 */
export class Drains {
  readonly #active = new Set<() => void>();
  #isClosed = false;

  /**
   * The signal is aborted when the caller disconnects. If `drained` is true and the response has started, the signal is
   * aborted only when the time limit after the disconnect has passed.
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
