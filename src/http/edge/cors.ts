import cors from 'cors';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { refuseRest } from './refuse-rest.js';

/** Response headers that a page may read. */
const EXPOSED_HEADERS = [
  'X-Gatehouse-Adjusted',
  'X-Gatehouse-Channel',
  'X-Gatehouse-Estimate',
  'X-Generation-Id',
  'Retry-After',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-RateLimit-Limit-Tokens',
  'X-RateLimit-Remaining-Tokens',
  'X-RateLimit-Reset-Tokens',
  'X-Request-Id',
];
const ALLOWED_ORIGIN = 'access-control-allow-origin';
const MAX_AGE_SECONDS = 7_200;

/**
 * Cross-origin requests to the paths of the API, without credentials: keys are sent in a header, never in a cookie. A
 * preflight request is answered before any key is read, because browsers send none with it.
 */
export class Cors {
  readonly #handle: ReturnType<typeof cors>;

  /** `prefix`: of the paths; `origins`: those that are allowed, `*` = all. */
  constructor(
    private readonly prefix: string,
    private readonly origins: readonly string[],
  ) {
    this.#handle = cors({
      origin: origins.includes('*') ? '*' : [...origins],
      exposedHeaders: EXPOSED_HEADERS,
      maxAge: MAX_AGE_SECONDS,
    });
  }

  /** Adds the headers to the response; true if the request was a preflight request, which is then answered. */
  answers(request: IncomingMessage, response: ServerResponse): boolean {
    if (!request.url!.startsWith(this.prefix)) return false;
    let isPreflight = true;
    // A preflight request has no body: one that is sent all the same is not read to its end.
    if (request.method === 'OPTIONS') refuseRest(request, response);
    this.#handle(request, response, () => void (isPreflight = false));
    return isPreflight;
  }

  /**
   * The header for the refusal of a request that could not be parsed. Its origin is the one that the response was
   * made for, if its head was read; else it is known only where all origins, or a single one, are allowed.
   */
  headerOfUnparsed(response: ServerResponse | undefined): string | undefined {
    const { origins } = this;
    const known = response?.getHeader(ALLOWED_ORIGIN);
    const origin = known ?? (origins.includes('*') ? '*' : origins.length === 1 ? origins[0] : undefined);
    return origin === undefined || response?.req.url?.startsWith(this.prefix) === false
      ? undefined
      : `${ALLOWED_ORIGIN}: ${String(origin)}`;
  }
}
