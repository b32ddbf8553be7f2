import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { linesOfResult, oldRequest } from './clickhouse-old-dialect.js';
import { CLUSTER_PASSWORD, type ClickHouseNode } from './clickhouse-node.js';
import { readClickHouseRequest, refusal } from './clickhouse-request.js';

/** A server between the service and a cluster of ClickHouse 18.16: a load balancer that translates each request. */
export interface ClickHouseFront {
  /**
   * Distributes requests to the nodes by round robin. If a node refuses the connection, the next node gets the request.
   */
  readonly url: string;
  /** Sends all further requests to one node; undefined = round robin. */
  sendTo(node: ClickHouseNode | undefined): void;
  /** Whether the connection is closed after a node responded, without sending the response to the client. */
  losesResponses: boolean;
  stop(): Promise<void>;
}

export async function startClickHouseFront(nodes: readonly ClickHouseNode[]): Promise<ClickHouseFront> {
  let turn = 0;
  let only: ClickHouseNode | undefined;
  const server = createServer((request, response) => {
    forward(request, response).catch(() => request.socket.destroy());
  });

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { text, data, fields, hasRows } = oldRequest(await readClickHouseRequest(request));
    const leaving = new AbortController();
    response.once('close', () => leaving.abort());
    const search = new URLSearchParams(Object.fromEntries(fields));
    if (data !== undefined) search.set('query', text);
    const started = turn++;
    for (let tried = 0; ; tried++) {
      const node = only ?? nodes[(started + tried) % nodes.length]!;
      try {
        const received = await fetch(`${node.origin}/?${search.toString()}`, {
          method: 'POST',
          headers: { authorization: request.headers.authorization! },
          body: data ?? text,
          signal: leaving.signal,
        });
        const body = await received.text();
        if (front.losesResponses) return void request.socket.destroy();
        if (received.ok) return void response.writeHead(200).end(hasRows ? linesOfResult(body) : body);
        const code = /^Code: (\d+)/.exec(body)?.[1] ?? '1002';
        return void response.writeHead(500, { 'X-ClickHouse-Exception-Code': code }).end(refusal(code, body));
      } catch (error) {
        const { code } = ((error as Error).cause ?? {}) as { readonly code?: string };
        if (code !== 'ECONNREFUSED' || only || tried === nodes.length - 1) throw error;
      }
    }
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const front: ClickHouseFront = {
    url: `http://default:${CLUSTER_PASSWORD}@127.0.0.1:${(server.address() as AddressInfo).port}`,
    sendTo: (node) => void (only = node),
    losesResponses: false,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return front;
}
