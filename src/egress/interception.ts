import { Injectable } from '@nestjs/common';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { Agent } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { SecureContext } from 'node:tls';
import { callbackify } from 'node:util';
import { exactHostName } from '../vaults/host-names.js';
import { CertificateAuthority } from './certificate-authority.js';
import type { Tunnel } from './tunnel.js';
import { SecureForwarding, type BoundRequest } from './secure-forwarding.js';

/**
 * Stands for the bound host towards the intern. A server of its own for each tunnel: what it is bound for is part of it, and cannot
 * be mixed up with another's.
 */
@Injectable()
export class Interception {
  constructor(
    private readonly authority: CertificateAuthority,
    private readonly forwarding: SecureForwarding,
  ) {}

  open(socket: Duplex, { internId, host }: Pick<Tunnel, 'internId' | 'host'>): void {
    const tunnel: Tunnel = { internId, host, agent: new Agent({ keepAlive: true }) };
    socket.once('close', () => tunnel.agent.destroy());
    const server = createSecureServer({
      allowHTTP1: true,
      // Without a name, or with another one, there is no certificate, and so no connection.
      SNICallback: callbackify((name: string) => this.#contextFor(tunnel, name)),
    });
    server.on(
      'request',
      (request: Http2ServerRequest | IncomingMessage, response: Http2ServerResponse | ServerResponse) => {
        void this.forwarding.answer(tunnel, request as BoundRequest, response as ServerResponse);
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

  async #contextFor({ host }: Tunnel, name: string): Promise<SecureContext> {
    if (exactHostName(name) !== host) throw new Error('the TLS name is not the host of CONNECT');
    return this.authority.contextFor(host);
  }
}
