import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Config } from '../../config/config.js';
import { bodyBytes } from '../../http/body/body-reader.guard.js';
import { callerPlaceOf } from '../../http/edge/called-from.decorator.js';
import { callerSignal } from '../../http/edge/caller-signal.js';
import { CONSOLE_PATH } from '../../http/console/console-edge.js';
import { EventOutlet } from '../../http/reply/event-outlet.js';
import { HeldElsewhere, Moving } from '../../interns/held-elsewhere.js';
import { chatErrors } from '../../interns/intern-chat.errors.js';
import { RELAYED_HEADER, ReplicaAway, ReplicaRelay, type RelayedResponse } from '../../interns/replica-relay.driver.js';
import { isConsoleRequest } from '../../kernel/console-request.js';
import { STATUS } from '../../kernel/errors/error-status.js';
import type { GatewayError } from '../../kernel/errors/errors.js';
import { toWire } from '../../kernel/dialect.js';
import { ChatChunks, CHAT_DONE, UNKNOWN_MODEL } from './intern-chat.wire.js';

const MAX_REFUSAL_BYTES = 16_777_216;
/** The pause between two attempts to find an intern that moves to another replica. */
const RETRY_PAUSE_MS = 100;
const END_OF_EVENT = Buffer.from('\n\n');

/** Relays requests to the replica that runs the intern. */
@Injectable()
export class InternRelay {
  constructor(
    private readonly relay: ReplicaRelay,
    private readonly config: Config,
  ) {}

  /**
   * Runs `work`. If another replica runs the intern, relays the whole request to that replica. Retries while the intern
   * moves from one replica to another. A request that was relayed to this replica is neither relayed nor retried here,
   * because the replica that relayed it retries.
   */
  async orRelay(request: Request, response: Response, work: () => Promise<void>): Promise<void> {
    const until = performance.now() + this.config.values.INTERN_MOVE_TIMEOUT_MS;
    const isRelayed = request.headers[RELAYED_HEADER] !== undefined;
    for (;;) {
      const refusal = await this.#attempt(request, response, work, isRelayed);
      if (refusal === undefined) return;
      if (isRelayed || response.closed || response.writableEnded || performance.now() >= until) throw refusal;
      await sleep(RETRY_PAUSE_MS);
    }
  }

  /**
   * Returns undefined if the request was handled. Returns an error if no replica has accepted the request; `orRelay`
   * then retries, and throws the error after the last attempt.
   */
  async #attempt(
    request: Request,
    response: Response,
    work: () => Promise<void>,
    isRelayed: boolean,
  ): Promise<GatewayError | undefined> {
    try {
      await work();
      return undefined;
    } catch (error) {
      if (error instanceof Moving) return chatErrors.notReady('running');
      if (!(error instanceof HeldElsewhere)) throw error;
      if (isRelayed) return chatErrors.notReady('running');
      return this.#relay(error.replicaUrl, request, response).catch((fault: unknown) => {
        if (fault instanceof ReplicaAway) return chatErrors.unreachable(fault.cause);
        throw fault;
      });
    }
  }

  /** Returns an error if the other replica no longer runs the intern. */
  async #relay(replicaUrl: string, request: Request, response: Response): Promise<GatewayError | undefined> {
    const body = request.method === 'POST' ? bodyBytes(request) : null;
    const { address, requestId } = callerPlaceOf(request, response);
    const relayed = await this.relay.send(replicaUrl, {
      method: request.method as 'GET' | 'POST' | 'DELETE',
      path: isConsoleRequest(request) ? `${CONSOLE_PATH}${request.originalUrl}` : request.originalUrl,
      headers: { ...request.headers, ...sessionHeadersOf(request), 'x-request-id': requestId ?? undefined },
      address,
      body,
      signal: callerSignal(response),
    });
    const type = relayed.headers['content-type'] ?? '';
    if (type.startsWith('text/event-stream')) {
      await relayEvents(relayed, response, this.#severed(request));
      return undefined;
    }
    const bytes = await wholeOf(relayed);
    if (relayed.status === STATUS.unavailable && isNotReady(bytes)) return chatErrors.notReady('running');
    const retryAfter = relayed.headers['retry-after'];
    if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
    if (type !== '') response.setHeader('content-type', type);
    response.status(relayed.status).end(bytes);
    return undefined;
  }

  /** The last events of a stream whose connection to the other replica broke. */
  #severed({ body }: Request): string {
    const sessionId = (body as { session_id?: string | null } | undefined)?.session_id ?? null;
    const model = toWire(UNKNOWN_MODEL, this.config.values.WIRE_DIALECT);
    return new ChatChunks(model, sessionId).end('error', null, chatErrors.severed());
  }
}

/**
 * Whether an error response has the reason `intern_not_ready`. In this case, the intern has not received the message.
 */
function isNotReady(refusal: Buffer): boolean {
  try {
    const { error } = JSON.parse(refusal.toString('utf8')) as { error?: { metadata?: { reason?: string } } };
    return error?.metadata?.reason === 'intern_not_ready';
  } catch {
    return false;
  }
}

/**
 * A console request is relayed with its session cookie and marked as same-origin, because it has passed the same-origin
 * check. Other requests are relayed without these headers.
 */
const sessionHeadersOf = (request: Request): IncomingHttpHeaders =>
  isConsoleRequest(request) ? { 'sec-fetch-site': 'same-origin' } : { cookie: undefined, 'sec-fetch-site': undefined };

async function wholeOf({ body }: RelayedResponse): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of body) {
      size += piece.length;
      if (size > MAX_REFUSAL_BYTES) throw new Error('the response of the replica is too large');
      pieces.push(piece);
    }
  } catch (error) {
    throw chatErrors.unreachable(error);
  }
  return Buffer.concat(pieces);
}

/** Relays complete events only, so that a broken connection can be reported as an event. */
async function relayEvents({ body }: RelayedResponse, response: Response, severed: string): Promise<void> {
  // The other replica writes the keep-alive comments.
  const outlet = new EventOutlet(response);
  outlet.release();
  let rest: Buffer = Buffer.alloc(0);
  let isDone = false;
  try {
    for await (const piece of body) {
      const bytes = rest.length > 0 ? Buffer.concat([rest, piece]) : piece;
      const end = bytes.lastIndexOf(END_OF_EVENT) + END_OF_EVENT.length;
      if (end < END_OF_EVENT.length) {
        rest = bytes;
        continue;
      }
      rest = bytes.subarray(end);
      const events = bytes.subarray(0, end);
      isDone = events.subarray(-CHAT_DONE.length).toString('latin1') === CHAT_DONE;
      await outlet.write(events);
    }
  } catch {
    // The unfinished stream is reported below.
  }
  outlet.end(isDone ? undefined : Buffer.from(severed));
}
