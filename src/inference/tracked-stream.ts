import type { Pieces } from '../billing/started-bytes.js';
import { GatewayError } from '../kernel/errors/errors.js';

/** The bytes of a response that has only started, with a promise of its end. */
export class TrackedStream implements Pieces {
  readonly #ended = Promise.withResolvers<void>();

  constructor(
    private readonly pieces: Pieces,
    private readonly isSourceComplete: () => boolean,
  ) {
    // The reader gets the same error from next().
    this.end.catch(() => undefined);
  }

  /**
   * Resolves when everything has been read. Rejects with the failure, which is `caller_gone` if the caller
   * disconnected.
   */
  get end(): Promise<void> {
    return this.#ended.promise;
  }

  /** Whether all pieces have been read, even if the end itself was not read yet. */
  isComplete(): boolean {
    const isComplete = this.isSourceComplete();
    if (isComplete) this.#ended.resolve();
    return isComplete;
  }

  async next(): Promise<IteratorResult<Uint8Array, unknown>> {
    try {
      const step = await this.pieces.next();
      if (step.done) this.#ended.resolve();
      return step;
    } catch (error) {
      this.#ended.reject(error);
      throw error;
    }
  }

  async each(take: (piece: Uint8Array) => Promise<void> | undefined): Promise<void> {
    const { pieces } = this;
    try {
      if (pieces.each) await pieces.each(take);
      else for (let step = await pieces.next(); !step.done; step = await pieces.next()) await take(step.value);
      this.#ended.resolve();
    } catch (error) {
      this.#ended.reject(error);
      throw error;
    }
  }

  async return(): Promise<IteratorResult<Uint8Array, unknown>> {
    this.#ended.reject(new GatewayError('caller_gone', 'The caller disconnected'));
    return (await this.pieces.return?.()) ?? { done: true, value: undefined };
  }
}
