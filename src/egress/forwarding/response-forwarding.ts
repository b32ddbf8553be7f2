import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { pipeline, type Duplex } from 'node:stream';
import { endToEnd } from './header-rules.js';
import type { SecretMatcher } from '../masking/secret-matcher.js';
import { EgressRefusal } from '../proxy.errors.js';
import { SecretMask } from '../secret-mask.js';

/** Statuses of responses without a body, whatever their headers are. */
const BODILESS: ReadonlySet<number | undefined> = new Set([204, 304]);
const PARTIAL_CONTENT = 206;
/** The status of a response that is the difference from an earlier one (RFC 3229). */
const IM_USED = 226;

/** Sends an intern's request to the host, and forwards the response. */
export async function exchange(
  call: ClientRequest,
  request: IncomingMessage,
  response: ServerResponse,
  matcher: SecretMatcher,
): Promise<void> {
  response.once('close', () => call.destroy());
  pipeline(request, call, () => undefined);
  forwardResponse(await responseOf(call), call, response, matcher);
}

/** Forwards a host's response to the intern with secrets masked. Drops the reason phrase and the trailers. */
function forwardResponse(
  received: IncomingMessage,
  call: ClientRequest,
  response: ServerResponse,
  matcher: SecretMatcher,
): void {
  const hasBody = call.method !== 'HEAD' && !BODILESS.has(received.statusCode);
  if (!matcher.isEmpty && hasBody) assertSearchable(received);
  response.writeHead(received.statusCode!, maskedHeaders(received, matcher));
  const done = (error: Error | null | undefined): void => {
    if (error) response.destroy();
  };
  if (matcher.isEmpty) pipeline(received, response, done);
  else pipeline(received, new SecretMask(matcher), response, done);
}

/**
 * Throws an EgressRefusal if the response is partial, the difference from an earlier one, or compressed, although the
 * request did not ask for that.
 */
function assertSearchable(received: IncomingMessage): void {
  const { 'content-encoding': encoding = 'identity', 'transfer-encoding': coding = 'chunked' } = received.headers;
  const isWhole = received.statusCode !== PARTIAL_CONTENT && received.statusCode !== IM_USED;
  const isPlain = encoding.toLowerCase() === 'identity' && coding.toLowerCase() === 'chunked';
  if (isWhole && isPlain) return;
  received.destroy();
  const how = isWhole ? 'compressed its response' : 'sent a part of a response';
  throw new EgressRefusal(
    502,
    `The host ${how} although the request did not allow it: secrets in it could not be masked`,
  );
}

function maskedHeaders(received: IncomingMessage, matcher: SecretMatcher): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(endToEnd(received.headers))) {
    // A masked Content-Length would not be a number. Without this header, the body is sent in chunks.
    if (name === 'content-length' && matcher.maskedText(value as string) !== value) continue;
    headers[matcher.maskedName(name)] = Array.isArray(value)
      ? value.map((one) => matcher.maskedText(one))
      : matcher.maskedText(String(value));
  }
  return headers;
}

/**
 * The head of a response that switches to a WebSocket, masked. If there are secrets to mask, the head accepts no
 * extension, because the forwarded request offered no extension (HIDING).
 */
export function upgradeResponseHead(received: IncomingMessage, matcher: SecretMatcher): string {
  const lines: string[] = [];
  for (let at = 0; at < received.rawHeaders.length; at += 2) {
    const name = received.rawHeaders[at]!.toLowerCase();
    if (matcher.isEmpty || name !== 'sec-websocket-extensions')
      lines.push(`${matcher.maskedName(name)}: ${matcher.maskedText(received.rawHeaders[at + 1]!)}`);
  }
  return `HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`;
}

function responseOf(call: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    call.once('upgrade', (_, outer) => {
      outer.destroy();
      reject(new EgressRefusal(502, 'The host switched protocols without a request to do so'));
    });
    call.once('response', resolve);
    call.once('error', reject);
  });
}

export function upgradeOf(call: ClientRequest): Promise<{ received: IncomingMessage; outer: Duplex; first: Buffer }> {
  return new Promise((resolve, reject) => {
    call.once('upgrade', (received, outer, first) => resolve({ received, outer, first }));
    call.once('response', (received) => {
      received.destroy();
      reject(new EgressRefusal(502, `The host returned status ${received.statusCode} instead of switching protocols`));
    });
    call.once('error', reject);
  });
}
