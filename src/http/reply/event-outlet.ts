import type { Response } from 'express';
import type { ByteOutlet } from '../../kernel/byte-outlet.js';
import { currentRequest, inRequestScope } from '../../kernel/request-scope.js';
import { callHeaders } from './call-headers.js';
import { gathered, type BodyPieces } from '../body/body-pieces.js';
import { drained } from './drained.js';

/** The comment that is written after a time without other data. */
interface Silence {
  readonly comment: string;
  readonly afterMs: number;
}

const DEFAULT_SILENCE: Silence = { comment: ': GATEHOUSE PROCESSING\n\n', afterMs: 10_000 };
const CHECK_EVERY_MS = 1_000;
const NOTHING = new Uint8Array(0);

export const EVENT_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
};

/**
 * Sends server-sent events, and comments during pauses. The head is sent with the first data. Before that, a failure
 * can still be sent with a status.
 */
export class EventOutlet implements ByteOutlet {
  /** The outlets that write comments during pauses. One timer serves all streams. */
  static readonly #quiet = new Set<EventOutlet>();
  static #timer: NodeJS.Timeout | undefined;
  #lastWriteAt = performance.now();
  /** The scope in which comments are written. The timer itself runs in the scope of the request that started it. */
  readonly #scope = currentRequest();

  constructor(
    private readonly response: Response,
    private readonly silence: Silence = DEFAULT_SILENCE,
  ) {
    EventOutlet.#quiet.add(this);
    EventOutlet.#timer ??= setInterval(() => EventOutlet.#check(), CHECK_EVERY_MS).unref();
  }

  /** Whether the head was sent. A failure is then sent as an event. */
  get hasStarted(): boolean {
    return this.response.headersSent;
  }

  /** False once the client has disconnected. */
  get isOpen(): boolean {
    return !this.response.destroyed;
  }

  /**
   * Returns undefined if more may be written immediately. Otherwise the promise resolves when the buffered data was
   * sent or the client has disconnected.
   */
  write(bytes: Uint8Array | string): Promise<void> | undefined {
    this.#lastWriteAt = performance.now();
    this.#begin();
    return this.response.write(bytes) ? undefined : drained(this.response);
  }

  /** Writes one event as one chunk of the body. Its JSON is passed in pieces. */
  writeEvent(json: BodyPieces): Promise<void> | undefined {
    let wait: Promise<void> | undefined;
    this.response.cork();
    for (const bytes of gathered(['data: ', ...json, '\n\n'])) wait = this.write(bytes) ?? wait;
    this.response.uncork();
    return wait;
  }

  end(bytes: Uint8Array | string = NOTHING): void {
    this.release();
    if (!this.isOpen) return;
    this.#begin();
    this.response.end(bytes);
  }

  cut(): void {
    this.release();
    this.response.destroy();
  }

  /** Stops writing comments. */
  release(): void {
    EventOutlet.#quiet.delete(this);
    if (EventOutlet.#quiet.size > 0) return;
    clearInterval(EventOutlet.#timer);
    EventOutlet.#timer = undefined;
  }

  static #check(): void {
    const now = performance.now();
    for (const outlet of EventOutlet.#quiet) {
      if (!outlet.isOpen) outlet.release();
      else if (now - outlet.#lastWriteAt >= outlet.silence.afterMs)
        void inRequestScope(outlet.#scope, () => outlet.write(outlet.silence.comment));
    }
  }

  #begin(): void {
    if (this.response.headersSent) return;
    const generationId = currentRequest()?.generationId;
    this.response.writeHead(200, {
      ...EVENT_HEADERS,
      ...(generationId === undefined ? {} : { 'x-generation-id': generationId }),
      ...callHeaders(),
    });
  }
}
