import type { Response } from 'express';
import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { gathered, type BodyPieces } from './body-pieces.js';
import { asGatewayError, toEnvelope } from './error-envelope.js';

const KEEP_ALIVE_MS = 15_000;

/**
 * Server-sent events on one response: `data:` lines ended by `data: [DONE]`, waiting where the reader is slow. The head
 * leaves with the first event, so that a failure before it is answered as any other; a later one becomes an error event.
 */
export class EventStream {
  #quiet: NodeJS.Timeout | undefined;

  constructor(private readonly response: Response) {}

  get begun(): boolean {
    return this.#quiet !== undefined;
  }

  /** Readies the head, which leaves with whatever comes first; a comment keeps the connection alive through silences. */
  begin(): void {
    if (this.begun) return;
    this.response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
    });
    this.#quiet = setInterval(() => this.response.write(': keep-alive\n\n'), KEEP_ALIVE_MS);
    this.response.once('close', () => clearInterval(this.#quiet));
  }

  /** Sends one event, its JSON in pieces; undefined where more may be sent at once. */
  send(json: BodyPieces): Promise<void> | undefined {
    this.begin();
    this.#quiet?.refresh();
    const { response } = this;
    const { socket } = response;
    // What the kernel did not take in an earlier turn; of this turn's events, which leave in one call of it, that is not known yet.
    const isBehind = socket?.writableNeedDrain && socket.writableCorked === 0;
    if (socket?.writableCorked === 0) {
      socket.cork();
      process.nextTick(uncork, socket);
    }
    // The pieces of one event are one chunk of the body.
    response.cork();
    for (const bytes of gathered(['data: ', ...json, '\n\n'])) response.write(bytes);
    response.uncork();
    return isBehind ? drained(response, socket) : undefined;
  }

  /** Ends the stream with a failure that happened after it had begun (wire-notes section 3). */
  fail(thrown: unknown): void {
    const error = asGatewayError(thrown);
    const { status, body } = toEnvelope(error);
    this.response.write(
      `data: ${JSON.stringify({ type: 'error', error: { message: body.error.message, code: status, param: null, type: error?.kind ?? 'internal' } })}\n\n`,
    );
    this.end();
  }

  end(): void {
    clearInterval(this.#quiet);
    this.response.end('data: [DONE]\n\n');
  }
}

const uncork = (socket: Socket): void => socket.uncork();

/** Resolves when the reader has caught up, of which the answer or its socket tells, or has left. */
export function drained(response: Response, drains: EventEmitter = response): Promise<void> {
  // What is written to a reader who has left already is never drained, and its close was told before.
  if (response.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      drains.off('drain', done);
      response.off('close', done);
      resolve();
    };
    drains.once('drain', done);
    response.once('close', done);
  });
}
