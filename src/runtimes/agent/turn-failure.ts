import type { TurnFailureReason } from '../turn.ts';

/** An error that ends a turn. Its message is for the user. */
export class TurnFailure extends Error {
  override name = 'TurnFailure';
  readonly reason: TurnFailureReason;
  readonly retryable: boolean;

  constructor(reason: TurnFailureReason, message: string, retryable = false) {
    super(message);
    this.reason = reason;
    this.retryable = retryable;
  }
}

/**
 * Resolves with the result of `work`. Rejects with the signal's reason when the signal is aborted, even if the work
 * continues.
 */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  work.catch(() => undefined);
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(signal.reason as Error);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
