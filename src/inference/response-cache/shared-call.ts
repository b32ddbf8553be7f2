/**
 * One call for several equal requests. The callers of these requests are its readers. The call is aborted when the last
 * reader disconnects.
 */
export class SharedCall {
  readonly #controller = new AbortController();
  #readers = 0;
  #isOver = false;

  /** `onAbandoned` is called if the last reader disconnects before the end. */
  constructor(private readonly onAbandoned: () => void) {}

  /** Aborted when the last reader has disconnected. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get hasReaders(): boolean {
    return this.#readers > 0;
  }

  /** Whether the call has ended. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Marks the call as ended, so that readers that disconnect later do not abort it. */
  finish(): void {
    this.#isOver = true;
  }

  /**
   * Adds a reader until its signal is aborted or it calls the returned function. `onGone` is called if the signal is
   * aborted.
   */
  enter(reader: AbortSignal, onGone: () => void = () => undefined): () => void {
    let isIn = true;
    this.#readers++;
    const leave = (): void => {
      if (!isIn) return;
      isIn = false;
      reader.removeEventListener('abort', abort);
      if (--this.#readers > 0 || this.#isOver) return;
      this.onAbandoned();
      this.#controller.abort(reader.reason);
    };
    const abort = (): void => {
      leave();
      onGone();
    };
    if (reader.aborted) abort();
    else reader.addEventListener('abort', abort);
    return leave;
  }
}
