import { Injectable } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { framingOf } from './body-framing.js';
import { endToEnd } from './header-rules.js';
import { namesIn } from './placeholder.js';
import { EgressRefusal } from './proxy.errors.js';
import { answerRefusal, asRefusal } from './refusal-answer.js';
import { plainTargetOf, type Target } from './target.js';
import { Upstream } from './upstream.js';

/** What leaves without secrets: unopened tunnels, and requests without TLS. */
@Injectable()
export class PlainForwarding {
  constructor(private readonly upstream: Upstream) {}

  tunnel(target: Target): Promise<Socket> {
    return this.upstream.tunnel(target);
  }

  /** A request that asks for a secret is refused as a whole: without TLS it goes to nobody in particular. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { path, ...target } = plainTargetOf(request.url);
    if (namesIn(`${request.url}\n${request.rawHeaders.join('\n')}`).length > 0)
      throw new EgressRefusal(403, 'Secrets are put into requests over TLS only');
    const authority = target.port === 80 ? target.host : `${target.host}:${target.port}`;
    const { 'content-length': _, ...passedOn } = endToEnd(request.headers);
    const call = await this.upstream.http(target, {
      method: request.method!,
      path,
      headers: { ...passedOn, ...framingOf(request), host: authority },
    });
    response.once('close', () => call.destroy());
    call.once('response', (answer) => {
      response.writeHead(answer.statusCode!, endToEnd(answer.headers));
      pipeline(answer, response, () => undefined);
    });
    call.once('error', (error) => answerRefusal(response, asRefusal(error)));
    pipeline(request, call, () => undefined);
  }
}
