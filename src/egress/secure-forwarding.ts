import { Injectable } from '@nestjs/common';
import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream';
import { framingOf, refuseBody } from './body-framing.js';
import { answerRefusal, asRefusal, refuseSocket } from './refusal-answer.js';
import { endToEnd } from './header-rules.js';
import type { Tunnel } from './tunnel.js';
import { EgressRefusal } from './proxy.errors.js';
import { SecretFilling, type Filled } from './secret-filling.js';
import { canMask, maskedText, SecretMask } from './secret-mask.js';
import { namesHost } from './target.js';
import { Upstream } from './upstream.js';

/** HTTP/1.1, or HTTP/2 as Node's compatible form of it. */
export type BoundRequest = IncomingMessage & { readonly authority?: string };

/** Passes requests on to the bound host, with secrets in them, and their answers back, without. */
@Injectable()
export class SecureForwarding {
  constructor(
    private readonly filling: SecretFilling,
    private readonly upstream: Upstream,
  ) {}

  async answer(tunnel: Tunnel, request: BoundRequest, response: ServerResponse): Promise<void> {
    try {
      const filled = await this.#filled(tunnel, request);
      const call = this.upstream.https(tunnel, { method: request.method!, path: filled.path, headers: filled.headers });
      response.once('close', () => call.destroy());
      pipeline(request, call, () => undefined);
      const answer = await answerOf(call);
      sendBack(answer, response, filled.values);
    } catch (error) {
      answerRefusal(response, asRefusal(error));
    }
  }

  /** WebSockets: the request is filled in as any other, and what follows is passed through. */
  async upgrade(tunnel: Tunnel, request: IncomingMessage, inner: Duplex, head: Buffer): Promise<void> {
    inner.on('error', () => undefined);
    try {
      refuseBody(request);
      // Other protocols could compress what they bring back, and carry a secret past the mask.
      if (request.headers.upgrade?.toLowerCase() !== 'websocket')
        throw new EgressRefusal(400, 'Nothing but WebSockets is switched to');
      const filled = await this.#filled(tunnel, request);
      const headers = { ...filled.headers, connection: 'Upgrade', upgrade: request.headers.upgrade };
      // A compressed answer would carry a secret past the mask.
      if (filled.values.length > 0) delete headers['sec-websocket-extensions'];
      const call = this.upstream.https(tunnel, { method: request.method!, path: filled.path, headers });
      inner.once('close', () => call.destroy());
      call.end();
      const { answer, outer, first } = await upgradeOf(call);
      if (canMask(filled.values) && answer.headers['sec-websocket-extensions'] !== undefined) {
        outer.destroy();
        throw new EgressRefusal(
          502,
          'The host compresses although it was not asked to: a secret could hide in what it sends',
        );
      }
      inner.write(switchedTo(answer, filled.values));
      outer.unshift(first);
      if (head.length > 0) outer.write(head);
      // Two pipelines over the same two sockets, each with its listeners.
      for (const socket of [inner, outer]) socket.setMaxListeners(30);
      pipeline(inner, outer, () => undefined);
      if (canMask(filled.values)) pipeline(outer, new SecretMask(filled.values), inner, () => undefined);
      else pipeline(outer, inner, () => undefined);
    } catch (error) {
      refuseSocket(inner, asRefusal(error));
    }
  }

  async #filled(tunnel: Tunnel, request: BoundRequest): Promise<Filled> {
    refuseElsewhere(tunnel.host, request);
    const { 'content-length': _, ...passedOn } = endToEnd(request.headers);
    const headers = { ...passedOn, ...framingOf(request), host: tunnel.host };
    const filled = await this.filling.fill(tunnel.internId, tunnel.host, { path: request.url!, headers });
    return filled.values.length > 0
      ? { ...filled, headers: { ...filled.headers, 'accept-encoding': 'identity' } }
      : filled;
  }
}

/** Whatever names a host in a request must name the one of the tunnel. */
function refuseElsewhere(host: string, request: BoundRequest): void {
  const hosts = request.rawHeaders.filter(
    (_, at) => at % 2 === 0 && /^(host|:authority)$/i.test(request.rawHeaders[at]!),
  ).length;
  const named = [request.headers[':authority'], request.headers.host].filter((name) => name !== undefined).map(String);
  if (named.length === 0 || hosts > named.length || !named.every((name) => namesHost(name, host)))
    throw new EgressRefusal(421, 'This connection is bound for another host than the request');
  if (!request.url!.startsWith('/') && request.url !== '*')
    throw new EgressRefusal(421, 'Send the path of the request, not a URL');
  if (request.method === 'CONNECT' || request.method === 'TRACE')
    throw new EgressRefusal(405, `${request.method} is not passed on`);
}

function answerOf(call: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    call.once('upgrade', (_answer, outer) => {
      outer.destroy();
      reject(new EgressRefusal(502, 'The host switched protocols although nobody had asked it to'));
    });
    call.once('response', resolve);
    call.once('error', reject);
  });
}

function upgradeOf(call: ClientRequest): Promise<{ answer: IncomingMessage; outer: Duplex; first: Buffer }> {
  return new Promise((resolve, reject) => {
    call.once('upgrade', (answer, outer, first) => resolve({ answer, outer, first }));
    call.once('response', (answer) => {
      answer.destroy();
      reject(new EgressRefusal(502, `The host answered ${answer.statusCode} instead of switching protocols`));
    });
    call.once('error', reject);
  });
}

function sendBack(answer: IncomingMessage, response: ServerResponse, values: readonly string[]): void {
  const { 'content-encoding': encoding = 'identity', 'transfer-encoding': coding = 'chunked' } = answer.headers;
  if (canMask(values) && (encoding !== 'identity' || coding !== 'chunked')) {
    answer.destroy();
    throw new EgressRefusal(
      502,
      'The host compressed its answer although it was asked not to: a secret could hide in it',
    );
  }
  const headers = Object.entries(endToEnd(answer.headers)).map(
    ([name, value]) =>
      [
        name,
        Array.isArray(value) ? value.map((one) => maskedText(one, values)) : maskedText(String(value), values),
      ] as const,
  );
  response.writeHead(answer.statusCode!, Object.fromEntries(headers));
  const done = (error: Error | null | undefined): void => {
    if (error) response.destroy();
  };
  if (canMask(values)) pipeline(answer, new SecretMask(values), response, done);
  else pipeline(answer, response, done);
}

function switchedTo(answer: IncomingMessage, values: readonly string[]): string {
  const lines = answer.rawHeaders.flatMap((name, at) =>
    at % 2 === 0 ? [`${name}: ${maskedText(answer.rawHeaders[at + 1]!, values)}`] : [],
  );
  return `HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`;
}
