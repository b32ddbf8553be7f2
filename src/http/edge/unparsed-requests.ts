import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Cors } from './cors.js';
import { envelopeOf } from '../errors/error-envelope.js';
import { REQUEST_ID_HEADER } from './request-id.js';
import { STATUS } from '../../kernel/errors/error-status.js';

interface Refusal {
  readonly status: number;
  readonly reason: string;
  readonly message: string;
}

const MALFORMED: Refusal = {
  status: STATUS.invalid_request,
  reason: 'Bad Request',
  message: 'This is not a well-formed HTTP/1.1 request',
};

/** Keyed by the `code` of the parser's error (llhttp, node:http). */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    reason: 'Request Header Fields Too Large',
    message: 'The headers of the request are too large: send at most 16 KiB',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: STATUS.payload_too_large,
    reason: 'Payload Too Large',
    message: 'The chunk extensions of the request are too large',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: STATUS.deadline_exceeded,
    reason: 'Request Timeout',
    message: 'The request did not arrive in time',
  },
};

/**
 * Sends the error envelope if node:http cannot parse a request or does not receive its headers in time. Node's default
 * response has no body.
 */
export function refuseUnparsed(server: Server, cors: Cors | null): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket & { _httpMessage?: ServerResponse }) => {
    // Like Node's default, write nothing into a response that has started.
    if (!socket.writable || error.code === 'ECONNRESET' || socket._httpMessage?.headersSent) {
      socket.destroy(error);
      return;
    }
    const { status, reason, message } = REFUSALS[error.code ?? ''] ?? MALFORMED;
    const body = JSON.stringify(envelopeOf(status, message));
    const allowedOrigin = cors?.headerOfUnparsed(socket._httpMessage);
    const head = [
      `HTTP/1.1 ${status} ${reason}`,
      'connection: close',
      `${REQUEST_ID_HEADER}: ${randomUUID()}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      ...(allowedOrigin === undefined ? [] : [allowedOrigin]),
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  });
}

/**
 * The fault of the Host header; undefined = valid. HTTP/1.1 requires the header (RFC 9112, section 3.2). A
 * second Host header is a fault in every version, because a proxy in front of the service may route by it.
 */
export function hostFault({ headers, rawHeaders, httpVersion }: IncomingMessage): string | undefined {
  if (headers.host === undefined) return httpVersion === '1.1' ? 'The Host header is missing' : undefined;
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === 4 && name.toLowerCase() === 'host') count++;
  }
  // 0 is allowed, because the service host of interns sets `headers.host` of requests without a raw Host header.
  return count > 1 ? 'The Host header is sent more than once' : undefined;
}

export const refuseHost = (response: ServerResponse, message: string): void =>
  sendEnvelope(response, STATUS.invalid_request, message, { connection: 'close' });

const UPGRADE_REQUIRED = 426;

/** Whether a request asks for a WebSocket. A server may ignore offers of other protocols, such as h2c. */
export const asksForWebSocket = ({ headers: { upgrade } }: IncomingMessage): boolean =>
  upgrade !== undefined && /\bwebsocket\b/i.test(upgrade);

/**
 * No path serves WebSockets. Clients that try a WebSocket first, such as coding agents at `/responses`, fall back to
 * HTTP at once after this status. After other statuses, they try the WebSocket again. RFC 9110 requires that the
 * response names the protocol to use.
 */
export const refuseWebSocket = (response: ServerResponse): void =>
  sendEnvelope(response, UPGRADE_REQUIRED, 'WebSockets are not served here: send the request by HTTP', {
    connection: 'upgrade, close',
    upgrade: 'HTTP/1.1',
  });

function sendEnvelope(
  response: ServerResponse,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>>,
): void {
  const body = JSON.stringify(envelopeOf(status, message));
  const length = Buffer.byteLength(body);
  response
    .writeHead(status, { ...headers, 'content-type': 'application/json; charset=utf-8', 'content-length': length })
    .end(body);
}
