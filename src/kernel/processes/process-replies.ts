const TIMEOUT_MS = 1_000;

/** Sends requests to another process of the service and waits for the replies. */
export class ProcessReplies<Reply> {
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  #last = 0;

  /**
   * Calls `send` with an id for the request. Resolves with the reply that `receive` gets for the id, or with undefined
   * after TIMEOUT_MS.
   */
  async ask(send: (id: number) => void): Promise<Reply | undefined> {
    const id = ++this.#last;
    const { promise, resolve } = Promise.withResolvers<Reply | undefined>();
    this.#waiting.set(id, resolve);
    const timer = setTimeout(() => resolve(undefined), TIMEOUT_MS);
    send(id);
    const reply = await promise;
    clearTimeout(timer);
    this.#waiting.delete(id);
    return reply;
  }

  receive(id: number, reply: Reply): void {
    this.#waiting.get(id)?.(reply);
  }
}
