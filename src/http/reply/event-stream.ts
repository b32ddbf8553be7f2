import { Logger } from '@nestjs/common';
import type { Response } from 'express';
import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { stackOf } from '../../kernel/errors/errors.js';
import { gathered, type BodyPieces } from '../body/body-pieces.js';
import { asGatewayError, toEnvelope } from '../errors/error-envelope.js';

const KEEP_ALIVE_MS = 15_000;

const log = new Logger('http');

/**
 * Server-sent events on one response: `data:` lines ended by `data: [DONE]`, with backpressure. The headers are sent
 * with the first event, so that an earlier failure gets a normal error response; a later one becomes an error event.
 */
export class EventStream {
  #quiet: NodeJS.Timeout | undefined;

  constructor(private readonly response: Response) {}

  get begun(): boolean {
    return this.#quiet !== undefined;
  }

  /** Prepares the headers, which are sent with the first event or comment. Comments keep an idle connection open. */
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

  /** Sends one event, its JSON in pieces. Undefined if more may be sent at once. */
  send(json: BodyPieces): Promise<void> | undefined {
    this.begin();
    this.#quiet?.refresh();
    const { response } = this;
    const { socket } = response;
    // Whether the kernel refused bytes of an earlier turn of the event loop. This turn's events are written together at
    // its end, so nothing is known about them yet.
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

  /** Ends a stream that has begun with an error event (docs/api-rules.md, section 3). */
  fail(thrown: unknown): void {
    const error = asGatewayError(thrown);
    if (!error || error.kind === 'internal') log.error(`A stream that had begun failed: ${stackOf(thrown)}`);
    const { status, body } = toEnvelope(error);
    // `code` is a number in the envelope, but clients of image streams expect a string or null.
    const event = {
      type: 'error',
      error: { message: body.error.message, code: String(status), param: null, type: error?.kind ?? 'internal' },
    };
    this.response.write(`data: ${JSON.stringify(event)}\n\n`);
    this.end();
  }

  end(): void {
    clearInterval(this.#quiet);
    this.response.end('data: [DONE]\n\n');
  }
}

const uncork = (socket: Socket): void => socket.uncork();

/** Resolves when `drains`, the response or its socket, emits `drain`, or when the reader has left. */
export function drained(response: Response, drains: EventEmitter = response): Promise<void> {
  // A destroyed response emits no further `drain`, and may have emitted `close` already.
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
