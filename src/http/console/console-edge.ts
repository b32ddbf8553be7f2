import type { IncomingMessage, ServerResponse } from 'node:http';
import compression from 'compression';
import type { Request, Response } from 'express';
import { noteConsoleRequest } from '../../kernel/console-request.js';

/** The path of the console: of its pages, its cookie and its calls of the API. */
export const CONSOLE_PATH = '/console';
const BELOW = /^\/console(?:[/?]|$)/;
/** Also with further slashes or in another case: no path of the console, but one that a browser may be sent to. */
const RESEMBLES = /^\/+console(?:[/?]|$)/i;
const API = `${CONSOLE_PATH}/api/v1/`;

/**
 * Headers of responses below /console and to paths that resemble it. A route with a policy of its own, such as for
 * images, replaces this one.
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
/** A packet or less is not worth compressing. */
const MIN_COMPRESSED_BYTES = 1_024;

/**
 * Lists are a tenth of their size when compressed. Streams of events are not touched. Compression tells an attacker
 * nothing: the cookie is SameSite=Strict, so that no other site can make a browser send requests of a session.
 */
const compressJson = compression({
  threshold: MIN_COMPRESSED_BYTES,
  filter: (_request, response) => JSON_BODY.test(String(response.getHeader('content-type'))),
});

/**
 * Prepares a request below /console; false for any other. /console/api/v1 has the handlers of /api/v1: the URL is
 * rewritten before routing, and the mark that is set here is the only thing that makes a cookie count. Paths are
 * compared exactly: a path in another case is not a path of the console. Neither is an absolute request target, which
 * browsers send to proxies only.
 */
export function enterConsole(request: IncomingMessage, response: ServerResponse, isAbsolute: boolean): boolean {
  const url = request.url!;
  if (!RESEMBLES.test(url)) return false;
  for (const [name, value] of HEADERS) response.setHeader(name, value);
  if (isAbsolute || !BELOW.test(url)) return false;
  noteConsoleRequest(request);
  // Responses to a session are stored nowhere, unless a route says otherwise.
  response.setHeader('cache-control', 'no-store');
  if (url.startsWith(API)) {
    request.url = url.slice(CONSOLE_PATH.length);
    compressJson(request as Request, response as Response, () => undefined);
  }
  return true;
}
