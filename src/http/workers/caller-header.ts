import type { IncomingMessage, Server } from 'node:http';

/** The address of the caller in a request that a worker forwards. Workers remove this header from callers' requests. */
export const CALLER_HEADER = 'x-gatehouse-caller';

/**
 * Sets the address of the caller on the requests that workers forward. Use it only for a server that only workers can
 * reach.
 */
export function restoreCallers(server: Server): void {
  server.prependListener('request', ({ headers, socket }: IncomingMessage) => {
    const value = headers[CALLER_HEADER];
    delete headers[CALLER_HEADER];
    // The address may be set on the socket, because a worker's connection has only one request at a time.
    Object.defineProperty(socket, 'remoteAddress', { value, configurable: true });
  });
}
