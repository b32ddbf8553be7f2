import { Injectable } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { EgressPass } from '../egress-passes.js';
import { requestHeaders, searchable } from './header-rules.js';
import { HostAccess } from '../host-access.js';
import { LiveResponses } from '../live-responses.js';
import { exchange } from './response-forwarding.js';
import { namesIn } from '../placeholder.js';
import { EgressRefusal } from '../proxy.errors.js';
import { SERVICE_HOST, ServiceHost } from '../service-host.js';
import { plainTargetOf } from '../target.js';
import { Upstream } from './upstream.js';

/** Forwards requests without TLS, and fills no secrets into them. Requests to this service go to the service host. */
@Injectable()
export class PlainForwarding {
  constructor(
    private readonly access: HostAccess,
    private readonly service: ServiceHost,
    private readonly responses: LiveResponses,
    private readonly upstream: Upstream,
  ) {}

  /**
   * Refuses a request with a placeholder, because the host is not authenticated without TLS. The response is masked,
   * because the host may have received a secret in a request over TLS.
   */
  async forward(pass: EgressPass, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { path, ...target } = plainTargetOf(request.url);
    const { internId } = pass;
    if (target.host === SERVICE_HOST) return this.service.handle(internId, { ...target, path }, request, response);
    // The pipeline and each watch of this response add a listener for its end.
    response.setMaxListeners(20);
    await this.access.admit(pass, target.host, response);
    const [secret] = namesIn(`${request.url}\n${request.rawHeaders.join('\n')}`);
    if (secret !== undefined)
      throw new EgressRefusal(403, 'Secrets are filled in only for requests over TLS', {
        kind: 'egress_secret',
        name: `${secret}@${target.host}`,
      });
    const authority = target.port === 80 ? target.host : `${target.host}:${target.port}`;
    const headers = requestHeaders(request, authority);
    const matcher = await this.responses.matcherFor({ internId, host: target.host }, response);
    const call = await this.upstream.http(target, {
      method: request.method!,
      path,
      headers: matcher.isEmpty ? headers : searchable(headers),
    });
    await exchange(call, request, response, matcher);
  }
}
