import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { chmod, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pipeline, type Duplex } from 'node:stream';
import { rootCertificates } from 'node:tls';
import { Config } from '../config/config.js';
import { EffectiveSecrets } from '../vaults/effective-secrets.js';
import { CertificateAuthority } from './certificate-authority.js';
import { EgressPasses } from './egress-passes.js';
import { Interception } from './interception.js';
import { PlainForwarding } from './plain-forwarding.js';
import { EgressRefusal } from './proxy.errors.js';
import { answerRefusal, asRefusal, refuseSocket } from './refusal-answer.js';
import { newSocketFolder, SOCKET } from './socket-folder.js';
import { targetOf } from './target.js';

export interface ProxyEndpoint {
  /** On 127.0.0.1. */
  readonly port: number;
  /** Holds `egress.sock`, the authority as `authority.pem`, and all that are to be trusted as `authorities.pem`. */
  readonly socketFolder: string;
  /** The certificate authority that interns must trust, PEM. */
  readonly authority: string;
}

/**
 * The only way out for interns, and the holder of their secrets. A tunnel to a host that no secret is bound to is passed through
 * unopened; one to a bound host is opened, and the secrets are put in there. Listens from the first boot of an intern on.
 */
@Injectable()
export class EgressProxy implements OnModuleDestroy {
  #endpoint: Promise<ProxyEndpoint> | undefined;
  readonly #servers: Server[] = [];
  readonly #sockets = new Set<Duplex>();

  constructor(
    private readonly config: Config,
    private readonly passes: EgressPasses,
    private readonly secrets: EffectiveSecrets,
    private readonly authority: CertificateAuthority,
    private readonly interception: Interception,
    private readonly plain: PlainForwarding,
  ) {}

  endpoint(): Promise<ProxyEndpoint> {
    this.#endpoint ??= this.#listen();
    this.#endpoint.catch(() => (this.#endpoint = undefined));
    return this.#endpoint;
  }

  async onModuleDestroy(): Promise<void> {
    await this.#endpoint?.catch(() => undefined);
    const closed = this.#servers.map((server) => new Promise((resolve) => server.close(resolve)));
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all(closed);
    const endpoint = await this.#endpoint?.catch(() => undefined);
    if (endpoint) await rm(endpoint.socketFolder, { recursive: true, force: true });
  }

  async #listen(): Promise<ProxyEndpoint> {
    const authority = await this.authority.certificate();
    const socketFolder = await newSocketFolder(this.config.values.DATA_DIR);
    await writeFile(join(socketFolder, 'authority.pem'), authority, { mode: 0o644 });
    await writeFile(join(socketFolder, 'authorities.pem'), [...rootCertificates, authority].join('\n'), {
      mode: 0o644,
    });
    const path = join(socketFolder, SOCKET);
    const [tcp, unix] = [this.#newServer(), this.#newServer()];
    await new Promise<void>((resolve, reject) => tcp.once('error', reject).listen(0, '127.0.0.1', resolve));
    await new Promise<void>((resolve, reject) => unix.once('error', reject).listen(path, resolve));
    // Containers come with user ids of their own; the token, not the file's mode, says who is calling.
    await chmod(path, 0o666);
    return { port: (tcp.address() as AddressInfo).port, socketFolder, authority };
  }

  #newServer(): Server {
    const server = createServer();
    server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
      socket.on('error', () => undefined);
    });
    server.on('connect', (request, socket, head) => void this.#connect(request, socket, head));
    server.on('upgrade', (_request, socket: Duplex) =>
      refuseSocket(socket, new EgressRefusal(501, 'WebSockets are passed on over TLS only: use CONNECT')),
    );
    server.on('request', (request, response) => void this.#request(request, response));
    this.#servers.push(server);
    return server;
  }

  async #connect(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    try {
      const internId = this.#callerOf(request);
      const target = targetOf(request.url);
      const opened = target.port === 443 && (await this.secrets.isBound(internId, target.host));
      const outer = opened ? undefined : await this.plain.tunnel(target);
      if (socket.destroyed) return void outer?.destroy();
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      if (head.length > 0) socket.unshift(head);
      if (outer === undefined) this.interception.open(socket, { internId, host: target.host });
      else {
        this.#sockets.add(outer);
        outer.once('close', () => this.#sockets.delete(outer));
        pipeline(socket, outer, () => undefined);
        pipeline(outer, socket, () => undefined);
      }
    } catch (error) {
      refuseSocket(socket, asRefusal(error));
    }
  }

  async #request(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      this.#callerOf(request);
      await this.plain.answer(request, response);
    } catch (error) {
      const refusal = asRefusal(error);
      if (refusal.status === 407) response.setHeader('proxy-authenticate', 'Basic realm="egress"');
      answerRefusal(response, refusal);
    }
  }

  #callerOf(request: IncomingMessage): string {
    const encoded = /^Basic\s+([A-Za-z0-9+/=]+)\s*$/i.exec(request.headers['proxy-authorization'] ?? '')?.[1] ?? '';
    const credentials = Buffer.from(encoded, 'base64').toString('latin1');
    const internId = this.passes.internOf(credentials.slice(credentials.indexOf(':') + 1));
    if (internId === undefined) throw new EgressRefusal(407, 'Send the proxy credentials of this boot');
    return internId;
  }
}
