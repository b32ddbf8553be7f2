import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { chmod, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { rootCertificates } from 'node:tls';
import { Config } from '../config/config.js';
import { EgressPasses, type EgressPass } from './egress-passes.js';
import { PlainForwarding } from './forwarding/plain-forwarding.js';
import { ProxyConnections } from './proxy-connections.js';
import { EgressRefusal } from './proxy.errors.js';
import { RefusalAudit } from './refusal-audit.js';
import { sendRefusal, refuseSocket } from './forwarding/refusal-response.js';
import { newSocketFolder } from '../machine/socket-folder.js';
import { CertificateAuthority } from './tunnels/certificate-authority.js';
import { Tunnels } from './tunnels/tunnels.js';

const SOCKET = 'egress.sock';
const NO_PASS = 'Send the proxy credentials of this boot';

interface ProxyEndpoint {
  /** The port on 127.0.0.1. */
  readonly port: number;
  /**
   * Contains `egress.sock`, `authority.pem` with the content of `authorities`, and `authorities.pem` with `authorities`
   * and the public root certificates.
   */
  readonly socketFolder: string;
  /** The certificate authority of the proxy, PEM. */
  readonly authority: string;
  /**
   * The certificates that interns must trust, PEM: the proxy's authority, and the authorities of EGRESS_CA_FILE for the
   * hosts whose tunnels the proxy does not open.
   */
  readonly authorities: string;
}

/**
 * The only network access of interns. They reach the hosts that HostAccess allows, and this service. If no secret is
 * bound to the host of a tunnel, the proxy forwards the bytes unchanged. Otherwise it opens the tunnel: it terminates
 * TLS, fills secrets into the requests and masks them in the responses. The proxy starts to listen at the first boot of
 * an intern.
 */
@Injectable()
export class EgressProxy implements OnModuleDestroy {
  #endpoint: Promise<ProxyEndpoint> | undefined;
  readonly #servers: Server[] = [];
  readonly #connections = new ProxyConnections();

  constructor(
    private readonly config: Config,
    private readonly passes: EgressPasses,
    private readonly authority: CertificateAuthority,
    private readonly tunnels: Tunnels,
    private readonly plain: PlainForwarding,
    private readonly refusals: RefusalAudit,
  ) {}

  endpoint(): Promise<ProxyEndpoint> {
    this.#endpoint ??= this.#listen();
    this.#endpoint.catch(() => (this.#endpoint = undefined));
    return this.#endpoint;
  }

  async onModuleDestroy(): Promise<void> {
    await this.#endpoint?.catch(() => undefined);
    const closed = this.#servers.map((server) => new Promise((resolve) => server.close(resolve)));
    this.#connections.destroyAll();
    await Promise.all(closed);
    const endpoint = await this.#endpoint?.catch(() => undefined);
    if (endpoint) await rm(endpoint.socketFolder, { recursive: true, force: true });
  }

  async #listen(): Promise<ProxyEndpoint> {
    const { authority, authorities } = await this.authority.certificates();
    const socketFolder = await newSocketFolder({
      dataDir: this.config.values.DATA_DIR,
      name: 'egress',
      socket: SOCKET,
      mode: 0o755,
    });
    await writeFile(join(socketFolder, 'authority.pem'), authorities, { mode: 0o644 });
    await writeFile(join(socketFolder, 'authorities.pem'), [...rootCertificates, authorities].join('\n'), {
      mode: 0o644,
    });
    const path = join(socketFolder, SOCKET);
    const [tcp, unix] = [this.#newServer(), this.#newServer()];
    await new Promise<void>((resolve, reject) => tcp.once('error', reject).listen(0, '127.0.0.1', resolve));
    await new Promise<void>((resolve, reject) => unix.once('error', reject).listen(path, resolve));
    // Containers have other user ids, so every user may open the socket. The pass identifies the caller.
    await chmod(path, 0o666);
    return { port: (tcp.address() as AddressInfo).port, socketFolder, authority, authorities };
  }

  #newServer(): Server {
    const server = createServer();
    server.on('connection', (socket) => {
      socket.on('error', () => undefined);
      this.#connections.add(socket);
    });
    server.on('connect', (request, socket, head) => void this.#connect(request, socket, head));
    server.on('upgrade', (_request, socket: Duplex) =>
      refuseSocket(socket, new EgressRefusal(501, 'WebSockets are supported only over TLS: use CONNECT')),
    );
    server.on('request', (request, response) => void this.#request(request, response));
    this.#servers.push(server);
    return server;
  }

  async #connect(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const pass = this.#passOf(request);
    if (!pass) return refuseSocket(socket, new EgressRefusal(407, NO_PASS));
    try {
      this.#connections.admit(pass, socket);
      await this.tunnels.open(pass, request.url, socket, head);
    } catch (error) {
      refuseSocket(socket, this.refusals.refusalOf(pass.internId, error));
    }
  }

  async #request(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pass = this.#passOf(request);
    if (!pass) {
      response.setHeader('proxy-authenticate', 'Basic realm="egress"');
      return sendRefusal(response, new EgressRefusal(407, NO_PASS));
    }
    try {
      this.#connections.admit(pass, request.socket, response);
      await this.plain.forward(pass, request, response);
    } catch (error) {
      sendRefusal(response, this.refusals.refusalOf(pass.internId, error));
    }
  }

  #passOf(request: IncomingMessage): EgressPass | undefined {
    const encoded = /^Basic\s+([A-Za-z0-9+/=]+)\s*$/i.exec(request.headers['proxy-authorization'] ?? '')?.[1] ?? '';
    const credentials = Buffer.from(encoded, 'base64').toString('latin1');
    return this.passes.find(credentials.slice(credentials.indexOf(':') + 1));
  }
}
