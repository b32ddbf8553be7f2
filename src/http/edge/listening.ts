import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer, Server as Listener, type AddressInfo } from 'node:net';
import { ConfigError, type Config } from '../../config/config.js';

/**
 * The default of HOST. The same port of IPV6_LOOPBACK is opened too, because a local name may resolve to either
 * address.
 */
const LOOPBACK = '127.0.0.1';
const IPV6_LOOPBACK = '::1';
/** The codes of errors for an address that the machine does not have, or for a machine without IPv6. */
const NO_SUCH_ADDRESS = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT']);

/**
 * Number of listeners at each address. libuv accepts one connection per listener in each turn of the event loop. With a
 * single listener, new callers would wait for seconds while turns are long.
 */
const LISTENERS = process.platform === 'linux' ? 32 : 1;

/** The address at which a server listens. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/**
 * Opens a port. Other processes of this service may listen on it too; the system distributes the connections. If the
 * host is 127.0.0.1, ::1 is opened too. Returns the additional listeners. Throws a ConfigError if HOST cannot be used,
 * and the system's error if the port cannot be opened.
 */
export async function listen(server: Server, address: ListenAddress): Promise<Listener[]> {
  const { host } = address;
  await opened(server, address).catch((error: NodeJS.ErrnoException) => {
    throw listenFault(error, host);
  });
  const { port } = server.address() as AddressInfo;
  const listeners: Listener[] = [];
  try {
    if (host === LOOPBACK) {
      const other = await listenAdditionally(server, { host: IPV6_LOOPBACK, port }, address.port === 0);
      if (other) listeners.push(other, ...(await furtherListeners(server, { host: IPV6_LOOPBACK, port })));
    }
    listeners.push(...(await furtherListeners(server, { host, port })));
    return listeners;
  } catch (error) {
    for (const listener of [server, ...listeners]) listener.close();
    throw error;
  }
}

/** Stops accepting connections. The close() method of an HTTP server would also close its idle connections. */
export const stopListening = (listener: Listener): Listener => Listener.prototype.close.call(listener);

/** Opens the other listeners of an address that already has one. */
async function furtherListeners(server: Server, address: ListenAddress): Promise<Listener[]> {
  const opening = Array.from({ length: LISTENERS - 1 }, () => listenAdditionally(server, address));
  return (await Promise.all(opening)).filter((listener) => listener !== undefined);
}

/**
 * Accepts connections at an additional address, or from an additional accept queue of the same address, and passes them
 * to the server. An additional listener is needed, because a server has only one address and one queue. Returns
 * undefined if the machine does not have the address. With `mayBeTaken`, also returns undefined if another program uses
 * the port at this address.
 */
export async function listenAdditionally(
  server: Server,
  address: ListenAddress,
  mayBeTaken = false,
): Promise<Listener | undefined> {
  // The options that node:http uses for its own listener.
  const listener = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket));
  try {
    await opened(listener, address);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (NO_SUCH_ADDRESS.has(code!) || (mayBeTaken && code === 'EADDRINUSE')) return undefined;
    throw error;
  }
  return listener;
}

/** Opens a Unix socket, for the workers of this service. */
export async function listenAtPath(server: Server, path: string): Promise<void> {
  server.listen(path);
  await once(server, 'listening');
}

/** Throws the error that `listen` or the metrics listener would throw now. Closes the ports again. */
export async function assertPortsFree({ values }: Config): Promise<void> {
  const { HOST, PORT, METRICS_HOST, METRICS_PORT } = values;
  await tryPort(PORT, HOST).catch((error: NodeJS.ErrnoException) => {
    throw listenFault(error, HOST);
  });
  if (HOST === LOOPBACK)
    await tryPort(PORT, IPV6_LOOPBACK).catch((error: NodeJS.ErrnoException) => {
      if (!NO_SUCH_ADDRESS.has(error.code!)) throw error;
    });
  if (METRICS_PORT !== undefined)
    await tryPort(METRICS_PORT, METRICS_HOST).catch((error: Error) => {
      throw metricsFault(error, METRICS_PORT, METRICS_HOST);
    });
}

export function metricsFault(error: NodeJS.ErrnoException, port: number, host: string): ConfigError {
  return new ConfigError(`METRICS_PORT ${port} cannot be opened at METRICS_HOST ${host} (${error.code})`);
}

/** The URL at which a program on this machine reaches a service with this HOST. */
export function localOrigin(host: string, port: number): string {
  const address = host === '0.0.0.0' || host === '::' ? LOOPBACK : host;
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}

async function tryPort(port: number, host: string): Promise<void> {
  const listener = createServer();
  listener.listen({ port, host });
  await once(listener, 'listening');
  listener.close();
  await once(listener, 'close');
}

async function opened(listener: Listener, { port, host }: ListenAddress): Promise<void> {
  listener.listen({ port, host, reusePort: LISTENERS > 1 });
  await once(listener, 'listening');
}

/**
 * Converts an error to a ConfigError if HOST cannot be resolved or used. Errors about the port are returned unchanged.
 */
function listenFault(error: NodeJS.ErrnoException, host: string): Error {
  const { code, syscall } = error;
  if (syscall === 'getaddrinfo' || code === 'EINVAL' || code === 'EAFNOSUPPORT') {
    return new ConfigError(
      `HOST must be an address of this machine, such as 127.0.0.1 or 0.0.0.0, or a name of one (${host}: ${code})`,
    );
  }
  return error;
}
