import { randomUUID } from 'node:crypto';
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { envelopeOf } from './error-envelope.js';
import { REQUEST_ID_HEADER } from './request-id.js';
import { STATUS } from './status-table.js';

interface Refusal {
  readonly status: number;
  readonly reason: string;
  readonly message: string;
}

const MALFORMED: Refusal = {
  status: STATUS.invalid_request,
  reason: 'Bad Request',
  message: 'This is no well-formed HTTP/1.1 request',
};

/** By the code of the parser's error (llhttp, node:http). */
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

/** Answers in the envelope what never becomes a request, because node:http cannot parse it or does not get all of its head in time. By itself Node sends no body. */
export function refuseUnparsed(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket & { _httpMessage?: ServerResponse }) => {
    // As Node does it: into an answer that has begun nothing is written.
    if (!socket.writable || error.code === 'ECONNRESET' || socket._httpMessage?.headersSent) {
      socket.destroy(error);
      return;
    }
    const { status, reason, message } = REFUSALS[error.code ?? ''] ?? MALFORMED;
    const body = JSON.stringify(envelopeOf(status, message));
    socket.end(
      `HTTP/1.1 ${status} ${reason}\r\nconnection: close\r\n${REQUEST_ID_HEADER}: ${randomUUID()}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  });
}

/** HTTP/1.1 has every request name its host (RFC 9112 section 3.2). */
export function refuseNamelessHost(response: ServerResponse): void {
  const body = JSON.stringify(envelopeOf(STATUS.invalid_request, 'The Host header is missing'));
  response
    .writeHead(STATUS.invalid_request, {
      connection: 'close',
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    })
    .end(body);
}
