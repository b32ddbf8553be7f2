import type { IncomingMessage, ServerResponse } from 'node:http';

/** How much of a refused body is still taken off the wire, and for how long, before the connection is cut. */
interface Allowance {
  readonly bytes: number;
  readonly ms: number;
}

const STRANGER: Allowance = { bytes: 16_777_216, ms: 1_000 };
/** A caller whose key was good: many clients read no answer before they have sent all of a body. */
const ADMITTED: Allowance = { bytes: 134_217_728, ms: 10_000 };

/** Stands on the request itself: a weak set of all requests would be gone through by every collection of garbage. */
const ADMITTED_MARK = Symbol('admitted');
type Admittable = IncomingMessage & { [ADMITTED_MARK]?: boolean };

/** Notes that the guards let the request in. */
export function noteAdmitted(request: Admittable): void {
  request[ADMITTED_MARK] = true;
}

/**
 * Before an answer to a request whose body was not read: the connection is closed after it, and what the caller
 * still sends is thrown away for a short while first, so that it gets to read the answer instead of a reset.
 */
export function refuseRest(request: Admittable, response: ServerResponse): void {
  if (request.complete || !carriesBody(request)) return;
  response.setHeader('connection', 'close');
  // By itself Node destroys the socket as soon as the answer is flushed; with bytes unread that is a reset, which overtakes the answer.
  request.socket.destroySoon = () => linger(request, request[ADMITTED_MARK] ? ADMITTED : STRANGER);
}

/** Whether the request says that it carries a body. */
export function carriesBody(request: IncomingMessage): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
}

/** Says that nothing more comes, and reads on until the caller has ended too, or its allowance is used up. */
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
    // The caller's writes stall, and it has the rest of the time to read.
    if (left < 0) request.pause();
  });
  request.once('end', done).once('close', done);
  request.resume();
}
