import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that a receiver got. */
export interface SeenDelivery {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The body. */
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly json: any;
}

/** The reaction of a receiver to a request: a status, or a function that uses the response. */
export type Receipt = number | ((response: ServerResponse) => void);

export interface WebhookReceiver {
  readonly url: string;
  readonly port: number;
  readonly seen: SeenDelivery[];
  /** The reaction to all following requests. */
  respond: Receipt;
  /** The received events of a type, including repeated ones. */
  ofType(type: string): SeenDelivery[];
  close(): Promise<void>;
}

/** Never responds, like a receiver that hangs. */
export const silence: Receipt = () => undefined;

/** A receiver of webhooks on this machine. Default: on a free port. */
export async function startWebhookReceiver(port = 0): Promise<WebhookReceiver> {
  const seen: SeenDelivery[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const headers = request.headers as Record<string, string>;
      seen.push({ path: request.url!, headers, body, json: JSON.parse(body || 'null') });
      const { respond } = receiver;
      if (typeof respond === 'number') response.writeHead(respond).end('a body that nobody stores');
      else respond(response);
    });
    request.on('error', () => undefined);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { port: own } = server.address() as AddressInfo;
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${own}/hook`,
    port: own,
    seen,
    respond: 200,
    ofType: (type) => seen.filter(({ json }) => json?.type === type),
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return receiver;
}
