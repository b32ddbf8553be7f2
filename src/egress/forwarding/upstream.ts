import { Injectable } from '@nestjs/common';
import { request as httpRequest, type Agent, type ClientRequest, type IncomingHttpHeaders } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import { connect, type Socket } from 'node:net';
import { createSecureContext, type SecureContext } from 'node:tls';
import { Network } from '../network.js';
import { EgressRefusal } from '../proxy.errors.js';
import type { Target } from '../target.js';
import type { Tunnel } from '../tunnels/tunnel.js';

const CONNECT_TIMEOUT_MS = 30_000;

interface UpstreamCall {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

/** Opens connections to hosts. Checks every address when connecting, and verifies every certificate. */
@Injectable()
export class Upstream {
  /** Created once, because parsing the authorities takes several milliseconds. */
  private secureContext: SecureContext | undefined;

  constructor(private readonly network: Network) {}

  /**
   * Sends a request to the host of a tunnel. With TLS, the certificate is verified for the host before the first byte
   * of the request is sent.
   */
  async through({ host, agent, isSecure }: Tunnel, call: UpstreamCall): Promise<ClientRequest> {
    if (!isSecure) return this.http({ host, port: 80 }, call, agent);
    this.secureContext ??= createSecureContext({ ca: [...this.network.trusted], minVersion: 'TLSv1.2' });
    const options: RequestOptions & { secureContext: SecureContext } = {
      ...call,
      host,
      servername: host,
      port: this.network.portFor(host, 443),
      lookup: this.network.lookup,
      secureContext: this.secureContext,
      rejectUnauthorized: true,
      agent,
      setHost: false,
    };
    return withConnectTimeout(httpsRequest(options), 'secureConnect');
  }

  /** Sends a request without TLS. The request must not contain a secret. */
  async http({ host, port }: Target, call: UpstreamCall, agent: Agent | false = false): Promise<ClientRequest> {
    await this.network.check(host);
    return withConnectTimeout(
      httpRequest({
        ...call,
        host,
        port: this.network.portFor(host, port),
        lookup: this.network.lookup,
        agent,
        setHost: false,
      }),
      'connect',
    );
  }

  /** Opens a TCP connection for a tunnel whose bytes are forwarded unchanged. */
  async tunnel({ host, port }: Target): Promise<Socket> {
    await this.network.check(host);
    const socket = connect({
      host,
      port: this.network.portFor(host, port),
      lookup: this.network.lookup,
      timeout: CONNECT_TIMEOUT_MS,
    });
    await new Promise<void>((resolve, reject) => {
      socket
        .once('connect', resolve)
        .once('error', reject)
        .once('timeout', () => socket.destroy(new Error('the host does not respond')));
    });
    return socket.setTimeout(0);
  }
}

/** Limits only the time to connect, because the intern decides how long it waits for a response. */
function withConnectTimeout(request: ClientRequest, connected: 'connect' | 'secureConnect'): ClientRequest {
  const late = setTimeout(
    () => request.destroy(new EgressRefusal(504, 'The host does not respond')),
    CONNECT_TIMEOUT_MS,
  );
  const done = (): void => clearTimeout(late);
  request.once('socket', (socket) => (request.reusedSocket ? done() : socket.once(connected, done)));
  return request.once('close', done);
}
