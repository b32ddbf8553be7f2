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
/** If the body is larger, or its length is unknown, the connection is closed after the response. */
const MAX_READ_BYTES = 65_536;
/** At most one refusal is logged in this time. */
const LOG_EVERY_MS = 10_000;
const OVERLOADED = unavailable('The service is overloaded. Try again in a moment.');

/** The prepared refusal of a route. */
export interface PreparedRefusal {
  readonly status: number;
  /** ASCII. A string and not a buffer, because Node writes a string together with the head. */
  readonly body: string;
}

/**
 * Creates the refusal of a route in the route's error format. `handler`: the function that Nest registers for the
 * route.
 */
export function preparedRefusal(handler: object): PreparedRefusal {
  const [filter] = (Reflect.getMetadata(FILTERS_METADATA, handler) ?? []) as Partial<ErrorEnvelopeFilter>[];
  const envelope: ErrorForm['envelope'] = filter?.form?.envelope ?? toEnvelope;
  const { status, body } = envelope(OVERLOADED);
  return { status, body: JSON.stringify(body) };
}

/**
 * Lets inference calls wait, or refuses them, if this process cannot serve them in time. This is decided before any
 * other work for the call.
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
  /**
   * Whether this process has a key or access token with this secret in its cache. Set after the modules have started.
   */
  isKnown: (secret: string) => boolean = () => true;

  constructor(
    private readonly overload: Overload,
    metrics: Metrics,
  ) {
    metrics.add('overload', () => [this.#refusals.family()]);
  }

  /** Whether a request starts now (`start`), waits (`wait`) or is refused (`refuse`). */
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

  /**
   * The queue of a request, named by its secret. While calls wait or may be refused, all unknown secrets share one
   * queue.
   */
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
