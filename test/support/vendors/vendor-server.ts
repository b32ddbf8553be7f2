import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP server on the loopback interface that acts as a vendor. */
export interface VendorServer {
  readonly origin: string;
  close(): Promise<void>;
}

/** If a handler rejects, its connection is closed. */
export async function startVendorServer(
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<VendorServer> {
  const server = createServer(
    // Idle connections stay open. On a busy machine a test may stall for longer than the default of 5 s, and a request
    // fails on a connection that the server has just closed.
    { keepAliveTimeout: 0 },
    (request, response) => void handle(request, response).catch(() => response.destroy()),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
