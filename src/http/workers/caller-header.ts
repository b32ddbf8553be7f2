import type { IncomingMessage, Server } from 'node:http';

/** In a request that a worker forwards: the address of its caller. Workers drop a header of this name from callers. */
export const CALLER_HEADER = 'x-gatehouse-caller';

/** Gives forwarded requests the address of their caller. The server listens for workers only. */
export function restoreCallers(server: Server): void {
  server.prependListener('request', ({ headers, socket }: IncomingMessage) => {
    const value = headers[CALLER_HEADER];
    delete headers[CALLER_HEADER];
    // The connection of a worker carries one request at a time.
    Object.defineProperty(socket, 'remoteAddress', { value, configurable: true });
  });
}
