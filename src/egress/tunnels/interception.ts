import { Injectable } from '@nestjs/common';
import { Agent as PlainAgent, createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2';
import { Agent } from 'node:https';
import type { Duplex } from 'node:stream';
import type { SecureContext } from 'node:tls';
import { callbackify } from 'node:util';
import { exactHostName } from '../../vaults/host-names.js';
import { CertificateAuthority } from './certificate-authority.js';
import type { Tunnel } from './tunnel.js';
import { SecureForwarding, type BoundRequest } from '../forwarding/secure-forwarding.js';

/** Maximum number of concurrent requests in a tunnel. Each may use a connection to the host. */
export const MAX_REQUESTS_PER_TUNNEL = 32;

/**
 * Terminates an intern's connection to a bound host. Each tunnel has its own server, so that a request cannot reach the
 * host of another tunnel. On port 80, the server speaks HTTP without TLS.
 */
@Injectable()
export class Interception {
  constructor(
    private readonly authority: CertificateAuthority,
    private readonly forwarding: SecureForwarding,
  ) {}

  open(socket: Duplex, { internId, host, isSecure }: Pick<Tunnel, 'internId' | 'host' | 'isSecure'>): void {
    const connections = { keepAlive: true, maxSockets: MAX_REQUESTS_PER_TUNNEL };
    const agent = isSecure ? new Agent(connections) : new PlainAgent(connections);
    const tunnel: Tunnel = { internId, host, isSecure, agent };
    socket.once('close', () => tunnel.agent.destroy());
    // Both kinds of server emit the same events.
    const server = (isSecure ? this.#secureServer(tunnel) : createServer()) as Http2SecureServer & Server;
    let underWay = 0;
    server.on(
      'request',
      (request: Http2ServerRequest | IncomingMessage, response: Http2ServerResponse | ServerResponse) => {
        // HTTP/2 announces the limit to the client. An HTTP/1.1 client that sends more requests without waiting for a
        // response is hostile.
        if (++underWay > MAX_REQUESTS_PER_TUNNEL) {
          socket.destroy();
          return;
        }
        // The pipeline and each watch of this response add a listener for its end.
        response.setMaxListeners(20).once('close', () => underWay--);
        void this.forwarding.forward(tunnel, request as BoundRequest, response as ServerResponse);
      },
    );
    server.on(
      'upgrade',
      (request: IncomingMessage, inner: Duplex, head: Buffer) =>
        void this.forwarding.upgrade(tunnel, request, inner, head),
    );
    server.on('tlsClientError', () => socket.destroy());
    server.on('sessionError', () => undefined);
    server.on('error', () => undefined);
    server.emit('connection', socket);
  }

  #secureServer(tunnel: Tunnel): Http2SecureServer {
    return createSecureServer({
      allowHTTP1: true,
      settings: { maxConcurrentStreams: MAX_REQUESTS_PER_TUNNEL },
      // If the name is missing or different, there is no certificate and the handshake fails.
      SNICallback: callbackify((name: string) => this.#contextFor(tunnel, name)),
    });
  }

  async #contextFor({ host }: Tunnel, name: string): Promise<SecureContext> {
    if (exactHostName(name) !== host) throw new Error('the TLS name is not the host of CONNECT');
    return this.authority.contextFor(host);
  }
}
