import type { IncomingHttpHeaders } from 'node:http';

/** Headers that are about one connection, or about the proxy itself. */
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

/** What is passed on of a message's headers. Those that `Connection` lists belong to the connection too. */
export function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const listed = new Set((headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()));
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !name.startsWith(':') && !HOP_BY_HOP.has(name) && !listed.has(name)),
  );
}
