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
 * Allows cross-origin requests to the paths of the API, without credentials, because keys are sent in a header and
 * never in a cookie. A preflight request gets its response before the key is checked, because browsers send no key with
 * it.
 */
export class Cors {
  readonly #handle: ReturnType<typeof cors>;

  /** `prefix`: the path prefix of the API; `origins`: the allowed origins, `*` = all. */
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

  /** Adds the headers to the response. Returns true for a preflight request, whose response is then sent. */
  handle(request: IncomingMessage, response: ServerResponse): boolean {
    if (!request.url!.startsWith(this.prefix)) return false;
    let isPreflight = true;
    // A preflight request should have no body. If it has one, the body is not read to its end.
    if (request.method === 'OPTIONS') refuseRest(request, response);
    this.#handle(request, response, () => void (isPreflight = false));
    return isPreflight;
  }

  /**
   * The CORS header of the error response to a request that could not be parsed. If the head of the request was read,
   * this is the header that was set then. Otherwise the origin is unknown, so the header exists only if `origins`
   * contains `*` or a single origin.
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
