import { GatewayError } from '../kernel/errors.js';

type Pieces = AsyncIterator<Uint8Array, unknown>;

/** Audio that tells how it ends. */
export class EndingAudio implements Pieces {
  /** Resolves when all of it has been read; rejects with what broke it off, `caller_gone` where its reader left. */
  readonly end: Promise<void>;
  /** Nothing of it is missing any more, whether or not its end was read. */
  readonly isRead: () => void;
  readonly #brokeOff: (error: unknown) => void;

  constructor(private readonly pieces: Pieces) {
    let ends!: { resolve: () => void; reject: (error: unknown) => void };
    this.end = new Promise((resolve, reject) => (ends = { resolve, reject }));
    this.isRead = ends.resolve;
    this.#brokeOff = ends.reject;
    // Whoever is told by the pieces themselves need not ask for it here.
    this.end.catch(() => undefined);
  }

  async next(): Promise<IteratorResult<Uint8Array, unknown>> {
    try {
      const step = await this.pieces.next();
      if (step.done) this.isRead();
      return step;
    } catch (error) {
      this.#brokeOff(error);
      throw error;
    }
  }

  async return(): Promise<IteratorResult<Uint8Array, unknown>> {
    this.#brokeOff(new GatewayError('caller_gone', 'The caller left'));
    return (await this.pieces.return?.()) ?? { done: true, value: undefined };
  }
}
