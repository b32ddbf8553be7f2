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

/** Forwards a host's response to the intern with secrets masked. Drops the reason phrase and the trailers. */
export function forwardResponse(
  answer: IncomingMessage,
  call: ClientRequest,
  response: ServerResponse,
  matcher: SecretMatcher,
): void {
  const hasBody = call.method !== 'HEAD' && !BODILESS.has(answer.statusCode);
  if (!matcher.isEmpty && hasBody) assertSearchable(answer);
  response.writeHead(answer.statusCode!, maskedHeaders(answer, matcher));
  const done = (error: Error | null | undefined): void => {
    if (error) response.destroy();
  };
  if (matcher.isEmpty) pipeline(answer, response, done);
  else pipeline(answer, new SecretMask(matcher), response, done);
}

/** Throws if the response is partial or compressed, although the request asked for neither. */
function assertSearchable(answer: IncomingMessage): void {
  const { 'content-encoding': encoding = 'identity', 'transfer-encoding': coding = 'chunked' } = answer.headers;
  const isWhole = answer.statusCode !== PARTIAL_CONTENT && answer.statusCode !== IM_USED;
  const isPlain = encoding.toLowerCase() === 'identity' && coding.toLowerCase() === 'chunked';
  if (isWhole && isPlain) return;
  answer.destroy();
  const how = isWhole ? 'compressed its response' : 'sent a part of a response';
  throw new EgressRefusal(
    502,
    `The host ${how} although the request did not allow it: secrets in it could not be masked`,
  );
}

function maskedHeaders(answer: IncomingMessage, matcher: SecretMatcher): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(endToEnd(answer.headers))) {
    // A masked Content-Length would not be a number; without the header the body is sent in chunks.
    if (name === 'content-length' && matcher.maskedText(value as string) !== value) continue;
    headers[matcher.maskedName(name)] = Array.isArray(value)
      ? value.map((one) => matcher.maskedText(one))
      : matcher.maskedText(String(value));
  }
  return headers;
}

/** The head of a response that switches to a WebSocket, masked and without extensions, because none was requested. */
export function upgradeResponseHead(answer: IncomingMessage, matcher: SecretMatcher): string {
  const lines: string[] = [];
  for (let at = 0; at < answer.rawHeaders.length; at += 2) {
    const name = answer.rawHeaders[at]!.toLowerCase();
    if (name !== 'sec-websocket-extensions')
      lines.push(`${matcher.maskedName(name)}: ${matcher.maskedText(answer.rawHeaders[at + 1]!)}`);
  }
  return `HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`;
}

export function responseOf(call: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    call.once('upgrade', (_answer, outer) => {
      outer.destroy();
      reject(new EgressRefusal(502, 'The host switched protocols without a request to do so'));
    });
    call.once('response', resolve);
    call.once('error', reject);
  });
}

export function upgradeOf(call: ClientRequest): Promise<{ answer: IncomingMessage; outer: Duplex; first: Buffer }> {
  return new Promise((resolve, reject) => {
    call.once('upgrade', (answer, outer, first) => resolve({ answer, outer, first }));
    call.once('response', (answer) => {
      answer.destroy();
      reject(new EgressRefusal(502, `The host returned status ${answer.statusCode} instead of switching protocols`));
    });
    call.once('error', reject);
  });
}
