const TIMEOUT_MS = 1_000;

/** Sends requests to another process of the service and waits for the replies. */
export class ProcessReplies<Reply> {
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  #last = 0;

  /** `send` sends the request with an id; `receive` gets the reply. Resolves with undefined after the timeout. */
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
