import { once } from 'node:events';
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Returns the response that the proxy sends instead of this one; undefined = this one. */
export type Corruption = (response: {
  status: number;
  body: Buffer;
  isJson: boolean;
}) => { status: number; body: Buffer } | undefined;

export interface FaultyProxy {
  readonly origin: string;
  /** The number of changed responses. */
  readonly changed: () => number;
  close(): Promise<void>;
}

/** Forwards requests to a correct service and corrupts some of its responses, so that a fuzz has something to find. */
export async function startFaultyProxy(origin: string, corrupt: Corruption): Promise<FaultyProxy> {
  const { hostname, port } = new URL(origin);
  let changed = 0;
  const server = createServer((incoming: IncomingMessage, outgoing: ServerResponse) => {
    const outward = forward(
      { hostname, port, method: incoming.method, path: incoming.url, headers: incoming.headers },
      (answer) =>
        void (async () => {
          const chunks: Buffer[] = [];
          for await (const chunk of answer) chunks.push(chunk as Buffer);
          const whole = {
            status: answer.statusCode!,
            body: Buffer.concat(chunks),
            isJson: /json/.test(answer.headers['content-type'] ?? ''),
          };
          const broken = corrupt(whole);
          if (broken) changed++;
          const { status, body } = broken ?? whole;
          const { 'content-length': _, 'transfer-encoding': __, ...headers } = answer.headers;
          outgoing.writeHead(status, headers).end(body);
        })(),
    );
    outward.on('error', () => outgoing.destroy());
    incoming.pipe(outward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    changed: () => changed,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
