import { Injectable } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { refuseBody } from './body-framing.js';
import { requestHeaders, searchable } from './header-rules.js';
import { joinStreams } from './join-streams.js';
import { LiveResponses } from '../live-responses.js';
import type { SecretMatcher } from '../masking/secret-matcher.js';
import { exchange, upgradeOf, upgradeResponseHead } from './response-forwarding.js';
import { EgressRefusal } from '../proxy.errors.js';
import { RefusalAudit } from '../refusal-audit.js';
import { sendRefusal, refuseSocket } from './refusal-response.js';
import { SecretFilling, type Filled } from '../secret-filling.js';
import { namesHost } from '../target.js';
import type { Tunnel } from '../tunnels/tunnel.js';
import { Upstream } from './upstream.js';
import { WebSocketMask } from '../web-socket-mask.js';

/** An HTTP/1.1 request, or an HTTP/2 request of Node's compatibility API. */
export type BoundRequest = IncomingMessage & { readonly authority?: string };

interface Prepared extends Filled {
  readonly matcher: SecretMatcher;
}

/**
 * Forwards requests to the bound host, and its responses to the intern. Fills secrets into requests over TLS, and masks
 * them in responses.
 */
@Injectable()
export class SecureForwarding {
  constructor(
    private readonly filling: SecretFilling,
    private readonly responses: LiveResponses,
    private readonly upstream: Upstream,
    private readonly refusals: RefusalAudit,
  ) {}

  async forward(tunnel: Tunnel, request: BoundRequest, response: ServerResponse): Promise<void> {
    try {
      const { path, headers, matcher } = await this.#prepared(tunnel, request, response);
      const call = await this.upstream.through(tunnel, { method: request.method!, path, headers });
      await exchange(call, request, response, matcher);
    } catch (error) {
      sendRefusal(response, this.refusals.refusalOf(tunnel.internId, error));
    }
  }

  /**
   * Forwards a WebSocket. Fills secrets into its request, masks them in messages of the host, and forwards messages of
   * the intern unchanged.
   */
  async upgrade(tunnel: Tunnel, request: IncomingMessage, inner: Duplex, head: Buffer): Promise<void> {
    inner.on('error', () => undefined);
    try {
      refuseBody(request);
      // Other protocols could compress their messages, so that secrets in them would not be found.
      if (request.headers.upgrade?.toLowerCase() !== 'websocket')
        throw new EgressRefusal(400, 'Only a switch to WebSockets is supported');
      const { path, headers, matcher, holdsSecret } = await this.#prepared(tunnel, request, inner);
      const call = await this.upstream.through(tunnel, {
        method: request.method!,
        path,
        headers: { ...headers, connection: 'Upgrade', upgrade: request.headers.upgrade },
      });
      inner.once('close', () => call.destroy());
      call.end();
      const { received, outer, first } = await upgradeOf(call);
      if (holdsSecret && !matcher.isEmpty && received.headers['sec-websocket-extensions'] !== undefined) {
        outer.destroy();
        throw new EgressRefusal(
          502,
          'The host compresses its messages although the request did not allow it: secrets in them could not be masked',
        );
      }
      inner.write(upgradeResponseHead(received, matcher));
      outer.unshift(first);
      if (head.length > 0) outer.write(head);
      joinStreams(inner, outer, matcher.isEmpty ? [] : [new WebSocketMask(matcher)]);
    } catch (error) {
      refuseSocket(inner, this.refusals.refusalOf(tunnel.internId, error));
    }
  }

  async #prepared(tunnel: Tunnel, request: BoundRequest, sink: ServerResponse | Duplex): Promise<Prepared> {
    const { internId, host, isSecure } = tunnel;
    refuseElsewhere(tunnel, request);
    const fillable = { path: request.url!, headers: requestHeaders(request, host) };
    const filled = isSecure ? await this.filling.fill(internId, host, fillable) : { ...fillable, holdsSecret: false };
    const matcher = await this.responses.matcherFor({ internId, host }, sink);
    return { ...filled, headers: matcher.isEmpty ? filled.headers : searchable(filled.headers), matcher };
  }
}

/**
 * Throws an EgressRefusal if Host or `:authority` does not name the host of the tunnel, if the URL is not a path, or if
 * the method cannot be forwarded.
 */
function refuseElsewhere({ host, isSecure }: Tunnel, request: BoundRequest): void {
  const hosts = request.rawHeaders.filter(
    (_, at) => at % 2 === 0 && /^(host|:authority)$/i.test(request.rawHeaders[at]!),
  ).length;
  const named = [request.headers[':authority'], request.headers.host].filter((name) => name !== undefined).map(String);
  const namesTunnel = (name: string): boolean => namesHost(name, host, isSecure ? 443 : 80);
  if (named.length === 0 || hosts > named.length || !named.every(namesTunnel))
    throw new EgressRefusal(421, 'The host of the request is not the host of this connection');
  if (!request.url!.startsWith('/') && request.url !== '*')
    throw new EgressRefusal(421, 'Send the path of the request, not a URL');
  if (request.method === 'CONNECT' || request.method === 'TRACE')
    throw new EgressRefusal(405, `The method ${request.method} is not forwarded`);
}
