import type { IncomingMessage, ServerResponse } from 'node:http';
import compression from 'compression';
import type { Request, Response } from 'express';
import { markConsoleRequest } from '../../kernel/console-request.js';

/** The path prefix of the console's pages, session cookie and API. */
export const CONSOLE_PATH = '/console';
const BELOW = /^\/console(?:[/?]|$)/;
/**
 * Matches /console and similar paths, which have more leading slashes or another case. Similar paths do not belong to
 * the console. They get the same headers, because a link can lead a browser to them.
 */
const RESEMBLES = /^\/+console(?:[/?]|$)/i;
const API = `${CONSOLE_PATH}/api/v1/`;

/**
 * Response headers for /console, the paths below it and similar paths. A route can set another content-security-policy,
 * for example for images.
 */
const HEADERS: readonly (readonly [name: string, value: string])[] = [
  [
    'content-security-policy',
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; media-src 'self' blob:; " +
      "frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  ],
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
  ['x-frame-options', 'DENY'],
  ['cross-origin-resource-policy', 'same-origin'],
  ['cross-origin-opener-policy', 'same-origin'],
  [
    'permissions-policy',
    'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()',
  ],
];

const JSON_BODY = /^application\/json\b/;
/** Smaller responses fit into about one packet, so compression saves nothing. */
const MIN_COMPRESSED_BYTES = 1_024;

/**
 * Lists compress to a tenth of their size. Event streams are not compressed. Compression does not let another site
 * guess a secret from the size of a response, because the cookie is SameSite=Strict: no other site can make a browser
 * send requests of a session.
 */
const compressJson = compression({
  threshold: MIN_COMPRESSED_BYTES,
  filter: (_request, response) => JSON_BODY.test(String(response.getHeader('content-type'))),
});

/**
 * Prepares a request for /console or a path below it. Returns false for other requests. Marks the request as a request
 * to the console; a session cookie is accepted only on marked requests. Rewrites the URL of a request for
 * /console/api/v1, so that the handlers of /api/v1 serve it. A path in another case does not belong to the console. An
 * absolute request target does not belong to the console either, because browsers send such a target only to proxies.
 */
export function enterConsole(request: IncomingMessage, response: ServerResponse, isAbsolute: boolean): boolean {
  const url = request.url!;
  if (!RESEMBLES.test(url)) return false;
  for (const [name, value] of HEADERS) response.setHeader(name, value);
  if (isAbsolute || !BELOW.test(url)) return false;
  markConsoleRequest(request);
  // Responses to a session must not be stored, unless a route sets another value.
  response.setHeader('cache-control', 'no-store');
  if (url.startsWith(API)) {
    request.url = url.slice(CONSOLE_PATH.length);
    compressJson(request as Request, response as Response, () => undefined);
  }
  return true;
}
