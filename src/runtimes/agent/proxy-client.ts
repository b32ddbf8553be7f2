import { Agent, request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { connect as connectTls } from 'node:tls';
import type { Socket } from 'node:net';
import { TurnFailure } from './turn-failure.ts';

export interface OutgoingRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The proxy refused or failed to open a tunnel. Nothing was sent. */
export class ProxyRefusal extends Error {
  override name = 'ProxyRefusal';
}

/** Sends requests through the egress proxy, which is the only network access. Follows no redirects. */
export class ProxyClient {
  readonly #proxy: URL | undefined;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 8 });

  constructor(proxy: string | null) {
    this.#proxy = proxy === null ? undefined : new URL(proxy);
  }

  /** Resolves with the head of the response. The signal also ends the reading of its body. */
  async request(url: URL, { method, headers, body }: OutgoingRequest, signal: AbortSignal): Promise<IncomingMessage> {
    const proxy = this.#requireProxy();
    const own = { ...headers, host: url.host, ...(body === undefined ? {} : { 'content-length': byteLength(body) }) };
    if (url.protocol === 'http:')
      return responseTo(
        httpRequest({
          ...addressOf(proxy),
          agent: this.#agent,
          method,
          path: url.href,
          headers: { ...own, 'proxy-authorization': credentialsOf(proxy) },
          signal,
        }),
        body,
      );
    const socket = await this.#tunnel(proxy, url, signal);
    const secure = connectTls({ socket, servername: url.hostname, ALPNProtocols: ['http/1.1'] });
    return responseTo(
      httpRequest({
        // Node uses this function only if the request has no `agent`.
        createConnection: () => secure,
        method,
        path: url.pathname + url.search,
        headers: { ...own, connection: 'close' },
        signal,
      }),
      body,
    );
  }

  #requireProxy(): URL {
    if (!this.#proxy) throw new TurnFailure('model_unavailable', 'This intern has no access to the network', true);
    return this.#proxy;
  }

  #tunnel(proxy: URL, url: URL, signal: AbortSignal): Promise<Socket> {
    const target = `${url.hostname}:${url.port || '443'}`;
    const headers = { host: target, 'proxy-authorization': credentialsOf(proxy) };
    const request = httpRequest({
      ...addressOf(proxy),
      agent: false,
      method: 'CONNECT',
      path: target,
      headers,
      signal,
    });
    return new Promise((resolve, reject) => {
      request.once('connect', (response, socket: Socket) => {
        if (response.statusCode === 200) return resolve(socket);
        socket.destroy();
        reject(new ProxyRefusal(`the egress proxy refused the connection with status ${response.statusCode}`));
      });
      request.once('error', (error) => reject(signal.aborted ? error : new ProxyRefusal(error.message)));
      request.end();
    });
  }
}

const byteLength = (body: string): string => String(Buffer.byteLength(body));

const addressOf = ({ hostname, port }: URL): { host: string; port: string } => ({ host: hostname, port });

const credentialsOf = ({ username, password }: URL): string =>
  `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`;

function responseTo(request: ClientRequest, body: string | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve).once('error', reject);
    request.end(body);
  });
}
