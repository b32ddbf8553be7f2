import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { EGRESS_REFUSALS } from '../egress-cells.js';
import { AddressRefused } from '../network.js';
import { EgressRefusal } from '../proxy.errors.js';

/**
 * Converts a failure to the refusal that is sent to the intern. The refusal cannot contain a secret, because messages
 * about connections contain only hosts and codes.
 */
export function asEgressRefusal(error: unknown): EgressRefusal {
  if (error instanceof EgressRefusal) return error;
  if (error instanceof AddressRefused)
    return new EgressRefusal(403, error.message, { kind: 'egress_host', name: error.host });
  const { code } = (error ?? {}) as { code?: unknown };
  if (typeof code === 'string' && /^(E[A-Z]|ERR_TLS|CERT_|DEPTH_|UNABLE_|SELF_|HPE_)/.test(code))
    return new EgressRefusal(502, `The host cannot be reached safely (${code})`);
  return new EgressRefusal(503, 'The proxy cannot serve this request now');
}

const bodyOf = ({ status, message }: EgressRefusal): string => JSON.stringify({ error: { code: status, message } });

export function sendRefusal(response: ServerResponse, refusal: EgressRefusal): void {
  EGRESS_REFUSALS.count(String(refusal.status));
  if (response.headersSent) response.destroy();
  else response.writeHead(refusal.status, { 'content-type': 'application/json' }).end(bodyOf(refusal));
}

/** Sends a refusal on a connection without a response object. */
export function refuseSocket(socket: Duplex, refusal: EgressRefusal): void {
  EGRESS_REFUSALS.count(String(refusal.status));
  if (socket.destroyed) return;
  const body = bodyOf(refusal);
  const head = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    ...(refusal.status === 407 ? ['Proxy-Authenticate: Basic realm="egress"'] : []),
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
