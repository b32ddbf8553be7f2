import type { Response } from 'express';
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

  /** Sends the head; a comment keeps the connection alive through silences. */
  begin(): void {
    if (this.begun) return;
    this.response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache', 'x-accel-buffering': 'no' });
    this.response.flushHeaders();
    this.#quiet = setInterval(() => this.response.write(': keep-alive\n\n'), KEEP_ALIVE_MS);
    this.response.once('close', () => clearInterval(this.#quiet));
  }

  /** Sends one event, its JSON in pieces; undefined where more may be sent at once. */
  send(json: BodyPieces): Promise<void> | undefined {
    this.begin();
    this.#quiet?.refresh();
    let keepsUp = true;
    for (const bytes of gathered(['data: ', ...json, '\n\n'])) keepsUp = this.response.write(bytes);
    return keepsUp ? undefined : drained(this.response);
  }

  /** Ends the stream with a failure that happened after it had begun (wire-notes section 3). */
  fail(thrown: unknown): void {
    const error = asGatewayError(thrown);
    const { status, body } = toEnvelope(error);
    this.response.write(`data: ${JSON.stringify({ type: 'error', error: { message: body.error.message, code: status, param: null, type: error?.kind ?? 'internal' } })}\n\n`);
    this.end();
  }

  end(): void {
    clearInterval(this.#quiet);
    this.response.end('data: [DONE]\n\n');
  }
}

/** Resolves when the reader has caught up or has left. */
export function drained(response: Response): Promise<void> {
  // What is written to a reader who has left already is never drained, and its close was told before.
  if (response.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.once('drain', done);
    response.once('close', done);
  });
}
