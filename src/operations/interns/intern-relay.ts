import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { IncomingHttpHeaders } from 'node:http';
import { Config } from '../../config/config.js';
import { bodyBytes } from '../../http/body/body-reader.guard.js';
import { placeOf } from '../../http/edge/called-from.decorator.js';
import { callerSignal } from '../../http/edge/caller-signal.js';
import { CONSOLE_PATH } from '../../http/console/console-edge.js';
import { EventOutlet } from '../../http/reply/event-outlet.js';
import { HeldElsewhere } from '../../interns/held-elsewhere.js';
import { chatErrors } from '../../interns/intern-chat.errors.js';
import { RELAYED_HEADER, ReplicaRelay, type RelayedResponse } from '../../interns/replica-relay.driver.js';
import { isConsoleRequest } from '../../kernel/console-request.js';
import { toWire } from '../../kernel/dialect.js';
import { ChatChunks, CHAT_DONE, UNKNOWN_MODEL } from './intern-chat.wire.js';

const MAX_REFUSAL_BYTES = 16_777_216;
const END_OF_EVENT = Buffer.from('\n\n');

/** Relays requests for interns that another replica holds. */
@Injectable()
export class InternRelay {
  constructor(
    private readonly relay: ReplicaRelay,
    private readonly config: Config,
  ) {}

  /** Runs `work`, or the whole request on the replica that holds the intern. A relayed request is not relayed again. */
  async orRelay(request: Request, response: Response, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof HeldElsewhere)) throw error;
      if (request.headers[RELAYED_HEADER] !== undefined) throw chatErrors.notReady('running');
      await this.#relay(error.replicaUrl, request, response);
    }
  }

  async #relay(replicaUrl: string, request: Request, response: Response): Promise<void> {
    const body = request.method === 'POST' ? bodyBytes(request) : null;
    const { address, requestId } = placeOf(request, response);
    const relayed = await this.relay.send(replicaUrl, {
      method: request.method as 'GET' | 'POST' | 'DELETE',
      path: isConsoleRequest(request) ? `${CONSOLE_PATH}${request.originalUrl}` : request.originalUrl,
      headers: { ...request.headers, ...sessionHeadersOf(request), 'x-request-id': requestId ?? undefined },
      address,
      body,
      signal: callerSignal(response),
    });
    const type = relayed.headers['content-type'] ?? '';
    if (type.startsWith('text/event-stream')) return relayEvents(relayed, response, this.#severed(request));
    const bytes = await wholeOf(relayed);
    const retryAfter = relayed.headers['retry-after'];
    if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
    if (type !== '') response.setHeader('content-type', type);
    response.status(relayed.status).end(bytes);
  }

  /** The end of a stream whose connection broke. */
  #severed({ body }: Request): string {
    const sessionId = (body as { session_id?: string | null } | undefined)?.session_id ?? null;
    const model = toWire(UNKNOWN_MODEL, this.config.values.WIRE_DIALECT);
    return new ChatChunks(model, sessionId).end('error', null, chatErrors.severed());
  }
}

/** A request of the console has the cookie of its session, and was found to be of same origin. */
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

/** Relays complete events only, so that a connection that breaks can still be reported as an event. */
async function relayEvents({ body }: RelayedResponse, response: Response, severed: string): Promise<void> {
  // The other replica writes the comments through silences.
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
    // Reported below.
  }
  outlet.end(isDone ? undefined : Buffer.from(severed));
}
