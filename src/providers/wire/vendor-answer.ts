import type { Dispatcher } from 'undici';
import { GatewayError } from '../../kernel/errors.js';
import { badAnswer, faultOfStatus, faultOfTransport } from './vendor-fault.js';
import { vendorMessage } from './vendor-message.js';
import type { VendorRequest } from './vendor-request.js';

/** Read ahead of a slow reader at most; then the vendor waits. */
const MOST_QUEUED_BYTES = 262_144;
/** Three hours of PCM. An answer that is read chunk by chunk and goes on beyond it has no end. */
export const MOST_STREAMED_BYTES = 536_870_912;
/** What may follow the end that an answer has told, so that its connection can be used again. */
const MOST_DISCARDED_BYTES = 65_536;
const MOST_ERROR_BYTES = 65_536;

type Step = IteratorResult<Uint8Array, undefined>;
const END: Step = { done: true, value: undefined };

/**
 * A vendor's answer as it arrives. Read it once: chunk by chunk (it is its own iterator, or by a callback) or whole.
 * Leaving the iteration early, or the request's signal, aborts the call at once.
 */
export class VendorAnswer implements AsyncIterableIterator<Uint8Array, undefined>, Dispatcher.DispatchHandler {
  /** Lower case, without parameters. */
  contentType = '';
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #retryAfter: string | undefined;
  #queue: Buffer[] = [];
  #queued = 0;
  #streamed = 0;
  #ended = false;
  #failure: Error | undefined;
  #waiting: { resolve: (step: Step) => void; reject: (error: Error) => void } | undefined;
  #taker: ((chunk: Buffer) => void) | undefined;
  #discarded = false;
  /** Whether the callback that takes the chunks waits for its own reader. */
  #held = false;

  constructor(
    private readonly request: Pick<VendorRequest, 'secret' | 'signal'>,
    private readonly onAnswer: (answer: VendorAnswer) => void,
    private readonly onRefused: (error: Error) => void,
  ) {
    request.signal.addEventListener('abort', this.#left);
  }

  /** Whether the complete answer is held and everything of it has been read. */
  get isComplete(): boolean {
    return this.#ended && this.#failure === undefined && this.#queue.length === 0;
  }

  next(): Promise<Step> {
    const chunk = this.#queue.shift();
    if (chunk) {
      this.#queued -= chunk.length;
      if (this.#controller!.paused && this.#queued < MOST_QUEUED_BYTES) this.#controller!.resume();
      return Promise.resolve({ done: false, value: chunk });
    }
    if (this.#failure) return Promise.reject(this.#failure);
    if (this.#ended) return Promise.resolve(END);
    return new Promise((resolve, reject) => (this.#waiting = { resolve, reject }));
  }

  return(): Promise<Step> {
    if (!this.#ended && !this.#discarded) this.#abort(new Error('nobody reads on'));
    return Promise.resolve(END);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Hands every chunk to `take` in its order; resolves at the end of the answer. Takes at most `cap` bytes. */
  whole(cap: number, take: (chunk: Buffer) => void): Promise<void> {
    let size = 0;
    const counted = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= cap) return take(chunk);
      this.#abort(badAnswer(`is larger than ${cap} bytes`));
    };
    for (const chunk of this.#queue.splice(0)) counted(chunk);
    this.#queued = 0;
    this.#taker = counted;
    if (this.#controller?.paused) this.#controller.resume();
    return new Promise((resolve, reject) => {
      if (this.#failure) reject(this.#failure);
      else if (this.#ended) resolve();
      else this.#waiting = { resolve: () => resolve(), reject };
    });
  }

  /**
   * Hands every chunk to `take` as it comes; resolves at the end of the answer, or once it is discarded. While what `take` gives back
   * is pending nothing more is taken, and the vendor waits. What it throws breaks the call off.
   */
  each(take: (chunk: Buffer) => Promise<void> | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve: () => resolve(), reject };
      const give = (chunk: Buffer): void => {
        try {
          const wait = take(chunk);
          // Once it is over, what is left on the connection comes and goes by itself.
          if (!wait || !this.#waiting) return;
          this.#held = true;
          this.#controller?.pause();
          wait.then(goOn, refuse);
        } catch (error) {
          refuse(error as Error);
        }
      };
      // Also where the vendor has ended, so that there is nothing to abort any more.
      const refuse = (error: Error): void => {
        this.#waiting = undefined;
        reject(error);
        this.#abort(error);
      };
      const goOn = (): void => {
        this.#held = false;
        while (this.#waiting && !this.#held && this.#queue.length > 0) give(this.#queue.shift()!);
        if (!this.#waiting || this.#held) return;
        this.#queued = 0;
        if (this.#failure) reject(this.#failure);
        else if (this.#ended) resolve();
        else if (this.#controller?.paused) this.#controller.resume();
      };
      this.#taker = (chunk) => {
        if (this.#isTooMuch(chunk)) return;
        if (this.#held) this.#queue.push(chunk);
        else give(chunk);
      };
      goOn();
    });
  }

  /** Lets a short rest come and go, so that the connection can be used again. */
  discard(): void {
    let left = MOST_DISCARDED_BYTES - this.#queued;
    this.#discarded = true;
    this.#queue = [];
    this.#queued = 0;
    this.#taker = (chunk) => {
      left -= chunk.length;
      if (left < 0) this.#abort(new Error('nobody reads on'));
    };
    this.#waiting?.resolve(END);
    this.#waiting = undefined;
    if (this.#controller?.paused) this.#controller.resume();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#failure) controller.abort(this.#failure);
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return;
    this.#status = status;
    this.contentType = String(headers['content-type'] ?? '')
      .split(';', 1)[0]!
      .trim()
      .toLowerCase();
    this.#retryAfter = headers['retry-after'] as string | undefined;
    const encoding = headers['content-encoding'];
    if (encoding !== undefined && encoding !== 'identity')
      throw badAnswer(`came with the content encoding ${String(encoding).slice(0, 40)}, which was not asked for`);
    if (status < 300) this.onAnswer(this);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#taker) return this.#taker(chunk);
    if (this.#isTooMuch(chunk)) return;
    if (this.#waiting) {
      const { resolve } = this.#waiting;
      this.#waiting = undefined;
      return resolve({ done: false, value: chunk });
    }
    this.#queue.push(chunk);
    this.#queued += chunk.length;
    if (this.#status >= 300 && this.#queued > MOST_ERROR_BYTES) throw new Error('the error body is too long');
    if (this.#queued >= MOST_QUEUED_BYTES) controller.pause();
  }

  onResponseEnd(): void {
    if (this.#status >= 300) this.onRefused(this.#refusal());
    this.#ended = true;
    this.#forget();
    // What is held back has yet to be taken.
    if (this.#held) return;
    this.#waiting?.resolve(END);
    this.#waiting = undefined;
  }

  onResponseError(_: unknown, error: Error): void {
    this.#fail(this.#status >= 300 ? this.#refusal() : error instanceof GatewayError ? error : faultOfTransport(error));
  }

  readonly #left = (): void => this.#abort(this.request.signal.reason as Error);

  #refusal(): Error {
    return faultOfStatus(
      this.#status,
      vendorMessage(Buffer.concat(this.#queue), this.request.secret),
      this.#retryAfter,
    );
  }

  /** Counts what is streamed; breaks an answer off that has no end. */
  #isTooMuch(chunk: Buffer): boolean {
    this.#streamed += chunk.length;
    if (this.#streamed <= MOST_STREAMED_BYTES) return false;
    this.#abort(badAnswer(`is larger than ${MOST_STREAMED_BYTES} bytes`));
    return true;
  }

  #abort(reason: Error): void {
    this.#fail(reason);
    this.#controller?.abort(reason);
  }

  #fail(error: Error): void {
    if (this.#ended) return;
    this.#failure = error;
    this.#ended = true;
    this.#forget();
    this.onRefused(error);
    this.#waiting?.reject(error);
    this.#waiting = undefined;
  }

  #forget(): void {
    this.request.signal.removeEventListener('abort', this.#left);
  }
}
