/** How long aborted work may take to reject with its own reason. */
const REASON_TIMEOUT_MS = 250;

interface TimeLimit<T> {
  readonly ms: number;
  /** Aborts the work earlier. */
  readonly signal?: AbortSignal;
  /** Undoes a result that arrives after the limit. */
  readonly undo?: (late: T) => Promise<unknown>;
}

/** Settles like the work, but at the latest REASON_TIMEOUT_MS after the limit, even if the work ignores its signal. */
export async function within<T>(
  { ms, signal, undo }: TimeLimit<T>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  const timeout = new Error(`it took longer than ${Math.max(0, Math.round(ms))} ms`);
  const late = Promise.withResolvers<never>();
  const end = (reason: Error): void => {
    clearTimeout(timer);
    abort.abort(reason);
    timer = setTimeout(() => late.reject(reason), REASON_TIMEOUT_MS);
  };
  let timer = setTimeout(() => end(timeout), Math.max(ms, 0));
  const stop = (): void => end(signal!.reason instanceof Error ? signal!.reason : new Error('it was ended'));
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted) stop();
  const working = work(abort.signal);
  try {
    return await Promise.race([working, late.promise]);
  } catch (error) {
    void working.then(undo).catch(() => undefined);
    throw error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}
