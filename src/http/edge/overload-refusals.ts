import { Injectable, Logger } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { bearerToken } from '../../kernel/access/bearer-token.js';
import { unavailable } from '../../kernel/errors/errors.js';
import type { RequestScope } from '../../kernel/request-scope.js';
import { Overload } from '../../kernel/scheduling/overload.js';
import { CounterCells } from '../../telemetry/cells.js';
import { Metrics } from '../../telemetry/metrics.js';
import { toEnvelope } from '../errors/error-envelope.js';
import type { ErrorEnvelopeFilter, ErrorForm } from '../errors/error-envelope.filter.js';
import { refuseRest } from './refuse-rest.js';
import { REQUEST_ID_HEADER, requestIdOf } from './request-id.js';

/** Nest's key for the filters of a controller method. */
const FILTERS_METADATA = '__exceptionFilters__';
const RETRY_AFTER_SECONDS = '1';
const UNKNOWN_SECRETS = '';
/** A larger body is not read; the connection is closed instead. */
const MAX_READ_BYTES = 65_536;
/** The refusals of this period are logged in one line. */
const LOG_EVERY_MS = 10_000;
const OVERLOADED = unavailable('The service is overloaded. Try again in a moment.');

/** The prepared refusal of a route. */
export interface PreparedRefusal {
  readonly status: number;
  /** ASCII. Node writes a text together with the head, and a buffer separately. */
  readonly body: string;
}

/** The refusal of a route, in its own error format. `handler` = the function that Nest registers. */
export function preparedRefusal(handler: object): PreparedRefusal {
  const [filter] = (Reflect.getMetadata(FILTERS_METADATA, handler) ?? []) as Partial<ErrorEnvelopeFilter>[];
  const envelope: ErrorForm['envelope'] = filter?.form?.envelope ?? toEnvelope;
  const { status, body } = envelope(OVERLOADED);
  return { status, body: JSON.stringify(body) };
}

/**
 * Lets inference calls wait, or refuses them, if this process cannot serve them in time, before any work is done for
 * them.
 */
@Injectable()
export class OverloadRefusals {
  readonly #log = new Logger('http');
  readonly #refusals = new CounterCells(
    'gatehouse_overload_refusals_total',
    'Calls that were refused with 503 because more arrived than the process can serve.',
    'outcome',
    ['refused'],
  );
  #loggedAt = -Infinity;
  /** Whether this process has lately read the key of a secret. Set when the keys can be read. */
  isKnown: (secret: string) => boolean = () => true;

  constructor(
    private readonly overload: Overload,
    metrics: Metrics,
  ) {
    metrics.add('overload', () => [this.#refusals.family()]);
  }

  /** Whether a request starts now, waits (`wait`), or is refused (`refuse`). */
  decide(request: IncomingMessage): ReturnType<Overload['decide']> {
    return this.overload.decide(this.#queueOf(request));
  }

  /** Calls `start` when it is the request's turn, unless the caller has left. */
  wait(request: IncomingMessage, response: ServerResponse, scope: RequestScope, start: () => void): void {
    const arrivedAt = performance.now();
    this.overload.wait(this.#queueOf(request), () => {
      if (response.destroyed) return false;
      scope.waitedMs = performance.now() - arrivedAt;
      start();
      return true;
    });
  }

  /** The queue of a request: its secret. While calls wait or may be refused, all unknown secrets share a queue. */
  #queueOf(request: IncomingMessage): string {
    const secret = secretIn(request);
    return this.overload.isStrained && !this.isKnown(secret) ? UNKNOWN_SECRETS : secret;
  }

  refuse(request: IncomingMessage, response: ServerResponse, { status, body }: PreparedRefusal): void {
    this.#note();
    if (!(Number(request.headers['content-length']) <= MAX_READ_BYTES)) refuseRest(request, response);
    response.writeHead(status, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': body.length,
      'retry-after': RETRY_AFTER_SECONDS,
      [REQUEST_ID_HEADER]: requestIdOf(response),
    });
    response.end(body, 'latin1');
  }

  #note(): void {
    this.#refusals.count('refused');
    const now = performance.now();
    if (now - this.#loggedAt < LOG_EVERY_MS) return;
    this.#loggedAt = now;
    this.#log.warn('Calls are refused with 503: more arrive than this process can serve');
  }
}

/** The secret that the request sends, valid or not; empty if there is none. */
function secretIn({ headers }: IncomingMessage): string {
  const { authorization } = headers;
  const key = authorization?.trim() ? bearerToken(authorization) : headers['x-api-key'];
  return typeof key === 'string' ? key : '';
}
