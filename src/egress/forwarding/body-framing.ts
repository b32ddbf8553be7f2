import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { EgressRefusal } from '../proxy.errors.js';

/** A request of HTTP/1.1, or of HTTP/2 in Node's compatible form. */
type Framed = Pick<IncomingMessage, 'headers' | 'httpVersionMajor' | 'method'> & {
  readonly stream?: { readonly endAfterHeaders: boolean };
};

/** Methods whose requests usually have no body. Without a body, they need no Content-Length. */
const BODILESS: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS']);

/**
 * The headers that delimit the body. They are sent even if `Connection` lists them as hop-by-hop, because the host
 * would otherwise read the body as the next request. Throws an EgressRefusal for a transfer coding other than
 * `chunked`.
 */
export function framingOf(request: Framed): IncomingHttpHeaders {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  if (coding !== undefined && coding.trim().toLowerCase() !== 'chunked')
    throw new EgressRefusal(
      400,
      'Send the body with Content-Length, or with Transfer-Encoding: chunked and no other coding',
    );
  if (coding !== undefined) return { 'transfer-encoding': 'chunked' };
  if (length !== undefined) return { 'content-length': length };
  if (request.httpVersionMajor >= 2 && !request.stream!.endAfterHeaders) return { 'transfer-encoding': 'chunked' };
  return BODILESS.has(request.method) ? {} : { 'content-length': '0' };
}

/** Throws an EgressRefusal if a request to switch protocols has a body. */
export function refuseBody({ headers }: Framed): void {
  if (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0)
    throw new EgressRefusal(400, 'A request that switches protocols has no body');
}
