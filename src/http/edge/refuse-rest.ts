import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * The maximum number of bytes of a refused body that are read, and the maximum time, before the connection is closed.
 */
interface Allowance {
  readonly bytes: number;
  readonly ms: number;
}

const UNKNOWN_CALLER: Allowance = { bytes: 16_777_216, ms: 1_000 };
/** For callers with a valid key. Many clients read no response before they have sent the whole body. */
const ADMITTED_CALLER: Allowance = { bytes: 134_217_728, ms: 10_000 };

/**
 * A property of the request, not a WeakSet of requests, because every garbage collection would traverse the WeakSet.
 */
const ADMITTED_MARK = Symbol('admitted');
type Admittable = IncomingMessage & { [ADMITTED_MARK]?: boolean };

/** Marks a request that has passed the guards. */
export function markAdmitted(request: Admittable): void {
  request[ADMITTED_MARK] = true;
}

/**
 * Call it before responding to a request whose body was not read. Closes the connection after the response. Before
 * that, reads and discards the rest of the body for a short time, so that the caller can read the response instead of
 * getting a reset.
 */
export function refuseRest(request: Admittable, response: ServerResponse): void {
  if (request.complete || !hasBody(request)) return;
  response.setHeader('connection', 'close');
  // By default, Node destroys the socket as soon as the response is flushed. If there are unread bytes, the kernel then
  // sends a reset, which can reach the caller before the response.
  request.socket.destroySoon = () => linger(request, request[ADMITTED_MARK] ? ADMITTED_CALLER : UNKNOWN_CALLER);
}

/** Whether the headers of the request announce a body. */
export function hasBody(request: IncomingMessage): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
}

/** Ends this side of the connection. Reads until the caller has ended its side, or until the allowance is used up. */
function linger(request: IncomingMessage, { bytes, ms }: Allowance): void {
  const { socket } = request;
  let left = bytes;
  const timer = setTimeout(() => socket.destroy(), ms);
  timer.unref();
  const done = (): void => {
    clearTimeout(timer);
    socket.destroy();
  };
  socket.end();
  request.removeAllListeners('data');
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    // Stop reading. The caller cannot send more, but can read the response until the time has passed.
    if (left < 0) request.pause();
  });
  request.once('end', done).once('close', done);
  request.resume();
}
