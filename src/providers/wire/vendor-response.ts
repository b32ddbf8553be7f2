import { setImmediate } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { GatewayError } from '../../kernel/errors/errors.js';
import { faultOfResponse, faultOfTransport } from './vendor-fault.js';
import { badResponse } from '../../formats/bad-response.js';
import { retryAfterOf, type ResponseHeaders } from './retry-after.js';
import type { VendorRequest } from './vendor-request.js';

/** Maximum bytes that are read ahead of a slow reader. Then the connection is paused. */
const MAX_QUEUED_BYTES = 262_144;
/** Maximum bytes that each() delivers in one turn of the event loop, because one turn can read megabytes. */
const MAX_BYTES_PER_TURN = 262_144;
/** Three hours of PCM: a longer stream is treated as endless and aborted. */
export const MAX_STREAMED_BYTES = 536_870_912;
/** Maximum bytes to discard after the last needed byte, so that the connection can be reused. */
const MAX_DISCARDED_BYTES = 65_536;
const MAX_ERROR_BYTES = 65_536;

type Step = IteratorResult<Uint8Array, undefined>;
const END: Step = { done: true, value: undefined };

/**
 * A vendor's response as it arrives. Read it once: by iteration, by a callback for each chunk, or whole. Leaving the
 * iteration early or aborting the request's signal aborts the call at once.
 */
export class VendorResponse implements AsyncIterableIterator<Uint8Array, undefined>, Dispatcher.DispatchHandler {
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
  #consumer: ((chunk: Buffer) => void) | undefined;
  #discarded = false;
  /** Whether the promise returned by the callback of each() is pending. */
  #paused = false;

  constructor(
    private readonly request: Pick<VendorRequest, 'secret' | 'signal'>,
    private readonly onResponse: (response: VendorResponse) => void,
    private readonly onFailure: (error: Error) => void,
  ) {
    request.signal.addEventListener('abort', this.#onAbort);
  }

  /** Whether the response arrived completely and all of it has been read. */
  get isComplete(): boolean {
    return this.#ended && this.#failure === undefined && this.#queue.length === 0;
  }

  next(): Promise<Step> {
    const chunk = this.#queue.shift();
    if (chunk) {
      this.#queued -= chunk.length;
      if (this.#controller!.paused && this.#queued < MAX_QUEUED_BYTES) this.#controller!.resume();
      return Promise.resolve({ done: false, value: chunk });
    }
    if (this.#failure) return Promise.reject(this.#failure);
    if (this.#ended) return Promise.resolve(END);
    const { promise, resolve, reject } = Promise.withResolvers<Step>();
    this.#waiting = { resolve, reject };
    return promise;
  }

  return(): Promise<Step> {
    if (!this.#ended && !this.#discarded) this.#abort(new Error('the response is no longer read'));
    return Promise.resolve(END);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Calls `take` with every chunk in order; resolves at the end of the response. Rejects after `cap` bytes. */
  whole(cap: number, take: (chunk: Buffer) => void): Promise<void> {
    let size = 0;
    let excess: Error | undefined;
    const counted = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= cap) return take(chunk);
      excess = badResponse(`is larger than ${cap} bytes`);
      this.#abort(excess);
    };
    for (const chunk of this.#queue.splice(0)) counted(chunk);
    this.#queued = 0;
    this.#consumer = counted;
    if (this.#controller?.paused) this.#controller.resume();
    // `#abort` has no effect on a response that has arrived completely, so check `excess` too.
    const failure = this.#failure ?? excess;
    if (failure) return Promise.reject(failure);
    if (this.#ended) return Promise.resolve();
    return new Promise((resolve, reject) => (this.#waiting = { resolve: () => resolve(), reject }));
  }

  /** Resolves with the body at the end of the response. Rejects after `cap` bytes. */
  async bytes(cap: number): Promise<Buffer> {
    const chunks: Buffer[] = [];
    await this.whole(cap, (chunk) => void chunks.push(chunk));
    return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
  }

  /**
   * Calls `take` with every chunk as it arrives; resolves at the end of the response, or once it is discarded. While
   * the promise that `take` returned is pending, the connection is paused. An error that `take` throws aborts the call.
   */
  each(take: (chunk: Buffer) => Promise<void> | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting = { resolve: () => resolve(), reject };
    let deliveredInTurn = 0;
    const deliver = (chunk: Buffer): void => {
      try {
        let wait = take(chunk);
        deliveredInTurn += chunk.length;
        if (deliveredInTurn >= MAX_BYTES_PER_TURN) {
          deliveredInTurn = 0;
          wait = Promise.resolve(wait).then(() => setImmediate());
        }
        // After discard() the remaining chunks are dropped, so do not pause the connection.
        if (!wait || !this.#waiting) return;
        this.#paused = true;
        this.#controller?.pause();
        wait.then(resume, fail);
      } catch (error) {
        fail(error as Error);
      }
    };
    // Reject here, because #abort() does nothing once the response has ended.
    const fail = (error: Error): void => {
      this.#waiting = undefined;
      reject(error);
      this.#abort(error);
    };
    const resume = (): void => {
      this.#paused = false;
      while (this.#waiting && !this.#paused && this.#queue.length > 0) deliver(this.#queue.shift()!);
      if (!this.#waiting || this.#paused) return;
      this.#queued = 0;
      if (this.#failure) reject(this.#failure);
      else if (this.#ended) resolve();
      else if (this.#controller?.paused) this.#controller.resume();
    };
    this.#consumer = (chunk) => {
      if (this.#isTooMuch(chunk)) return;
      if (this.#paused) this.#queue.push(chunk);
      else deliver(chunk);
    };
    resume();
    return promise;
  }

  /** Reads and drops a short rest of the response, so that the connection can be reused. */
  discard(): void {
    let left = MAX_DISCARDED_BYTES - this.#queued;
    this.#discarded = true;
    this.#queue = [];
    this.#queued = 0;
    this.#consumer = (chunk) => {
      left -= chunk.length;
      if (left < 0) this.#abort(new Error('the response is no longer read'));
    };
    this.#waiting?.resolve(END);
    this.#waiting = undefined;
    if (this.#controller?.paused) this.#controller.resume();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#failure) controller.abort(this.#failure);
  }

  onResponseStart(_: unknown, status: number, headers: ResponseHeaders): void {
    if (status < 200) return;
    this.#status = status;
    const [type] = String(headers['content-type'] ?? '').split(';', 1);
    this.contentType = type!.trim().toLowerCase();
    this.#retryAfter = retryAfterOf(headers);
    const encoding = headers['content-encoding'];
    if (encoding !== undefined && encoding !== 'identity')
      throw badResponse(`has the content encoding ${String(encoding).slice(0, 40)}, which was not requested`);
    if (status < 300) this.onResponse(this);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#consumer) return this.#consumer(chunk);
    if (this.#isTooMuch(chunk)) return;
    if (this.#waiting) {
      const { resolve } = this.#waiting;
      this.#waiting = undefined;
      return resolve({ done: false, value: chunk });
    }
    this.#queue.push(chunk);
    this.#queued += chunk.length;
    if (this.#status >= 300 && this.#queued > MAX_ERROR_BYTES) throw new Error('the error body is too long');
    if (this.#queued >= MAX_QUEUED_BYTES) controller.pause();
  }

  onResponseEnd(): void {
    if (this.#status >= 300) this.onFailure(this.#refusal());
    this.#ended = true;
    this.#removeListener();
    // Queued chunks must be delivered first.
    if (this.#paused) return;
    this.#waiting?.resolve(END);
    this.#waiting = undefined;
  }

  onResponseError(_: unknown, error: Error): void {
    this.#fail(this.#status >= 300 ? this.#refusal() : error instanceof GatewayError ? error : faultOfTransport(error));
  }

  readonly #onAbort = (): void => this.#abort(this.request.signal.reason as Error);

  #refusal(): Error {
    return faultOfResponse(this.#status, Buffer.concat(this.#queue), this.request.secret, this.#retryAfter);
  }

  /** Counts streamed bytes; aborts a response that exceeds the limit. */
  #isTooMuch(chunk: Buffer): boolean {
    this.#streamed += chunk.length;
    if (this.#streamed <= MAX_STREAMED_BYTES) return false;
    this.#abort(badResponse(`is larger than ${MAX_STREAMED_BYTES} bytes`));
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
    this.#removeListener();
    this.onFailure(error);
    this.#waiting?.reject(error);
    this.#waiting = undefined;
  }

  #removeListener(): void {
    this.request.signal.removeEventListener('abort', this.#onAbort);
  }
}
