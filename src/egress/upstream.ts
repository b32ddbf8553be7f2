import { Injectable } from '@nestjs/common';
import { request as httpRequest, type ClientRequest, type IncomingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect, type Socket } from 'node:net';
import { Network } from './network.js';
import { EgressRefusal } from './proxy.errors.js';
import type { Target } from './target.js';
import type { Tunnel } from './tunnel.js';

const CONNECT_WITHIN_MS = 30_000;

export interface UpstreamCall {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

/** Opens connections to the outside. Every address is checked when it is connected to, and no certificate is taken on trust. */
@Injectable()
export class Upstream {
  constructor(private readonly network: Network) {}

  /** TLS whose certificate was verified for this very host, before the first byte of the request is sent. */
  https({ host, agent }: Tunnel, call: UpstreamCall): ClientRequest {
    const request = httpsRequest({
      ...call,
      host,
      servername: host,
      port: this.network.portFor(host, 443),
      lookup: this.network.lookup,
      ca: [...this.network.trusted],
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
      agent,
      setHost: false,
    });
    return connectingInTime(request, 'secureConnect');
  }

  /** Without TLS, for requests that carry no secret. */
  async http({ host, port }: Target, call: UpstreamCall): Promise<ClientRequest> {
    await this.network.check(host);
    return connectingInTime(
      httpRequest({
        ...call,
        host,
        port: this.network.portFor(host, port),
        lookup: this.network.lookup,
        agent: false,
        setHost: false,
      }),
      'connect',
    );
  }

  /** A connection as it is, for what the intern encrypts itself. */
  async tunnel({ host, port }: Target): Promise<Socket> {
    await this.network.check(host);
    const socket = connect({
      host,
      port: this.network.portFor(host, port),
      lookup: this.network.lookup,
      timeout: CONNECT_WITHIN_MS,
    });
    await new Promise<void>((resolve, reject) => {
      socket
        .once('connect', resolve)
        .once('error', reject)
        .once('timeout', () => socket.destroy(new Error('it does not answer')));
    });
    return socket.setTimeout(0);
  }
}

/** Only the connection must come about in time: how long a host may think is for the intern to say, who can leave. */
function connectingInTime(request: ClientRequest, connected: 'connect' | 'secureConnect'): ClientRequest {
  const late = setTimeout(() => request.destroy(new EgressRefusal(504, 'The host does not answer')), CONNECT_WITHIN_MS);
  const done = (): void => clearTimeout(late);
  request.once('socket', (socket) => (request.reusedSocket ? done() : socket.once(connected, done)));
  return request.once('close', done);
}
