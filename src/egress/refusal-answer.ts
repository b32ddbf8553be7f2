import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { AddressRefused } from './network.js';
import { EgressRefusal } from './proxy.errors.js';

/** What an intern is told of a failure. Nothing here can hold a secret: messages of connections name hosts and codes only. */
export function asRefusal(error: unknown): EgressRefusal {
  if (error instanceof EgressRefusal) return error;
  if (error instanceof AddressRefused) return new EgressRefusal(403, error.message);
  const { code } = (error ?? {}) as { code?: unknown };
  if (typeof code === 'string' && /^(E[A-Z]|ERR_TLS|CERT_|DEPTH_|UNABLE_|SELF_|HPE_)/.test(code))
    return new EgressRefusal(502, `The host cannot be reached safely (${code})`);
  return new EgressRefusal(503, 'The proxy cannot serve this request now');
}

const bodyOf = ({ status, message }: EgressRefusal): string => JSON.stringify({ error: { code: status, message } });

export function answerRefusal(response: ServerResponse, refusal: EgressRefusal): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(refusal.status, { 'content-type': 'application/json' }).end(bodyOf(refusal));
}

/** The same on a connection that has no response object. */
export function refuseSocket(socket: Duplex, refusal: EgressRefusal): void {
  if (socket.destroyed) return;
  const body = bodyOf(refusal);
  const challenge = refusal.status === 407 ? 'Proxy-Authenticate: Basic realm="egress"\r\n' : '';
  socket.end(
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${challenge}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
