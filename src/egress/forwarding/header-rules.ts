import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { framingOf } from './body-framing.js';

/** Headers that concern one connection, or the proxy itself. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
  'expect',
]);

/**
 * Request headers that ask for a part of a response, a difference from another response, or compression. Secrets could
 * not be found in such a response.
 */
const HIDING = new Set([
  'range',
  'request-range',
  'x-ms-range',
  'if-range',
  'a-im',
  'accept-encoding',
  'sec-websocket-extensions',
]);

/** Changes the headers of a request so that the host sends a response in which secrets can be found. */
export function searchable(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return {
    ...Object.fromEntries(Object.entries(headers).filter(([name]) => !HIDING.has(name))),
    'accept-encoding': 'identity',
  };
}

/** The headers of a request to forward to a host. `authority`: the value of `Host`. */
export function requestHeaders(request: IncomingMessage, authority: string): IncomingHttpHeaders {
  const { 'content-length': _, ...passedOn } = endToEnd(request.headers);
  return { ...passedOn, ...framingOf(request), host: authority };
}

/**
 * The headers of a message to forward. Omits hop-by-hop headers, headers that `Connection` lists, and pseudo-headers.
 */
export function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const listed = new Set((headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()));
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !name.startsWith(':') && !HOP_BY_HOP.has(name) && !listed.has(name)),
  );
}
