import type { IncomingMessage, ServerResponse } from 'node:http';

const DRAIN_BYTES = 1_048_576;
const DRAIN_MS = 1_000;

/**
 * Before an answer to a request whose body was not read: the connection is closed after it, and what the caller
 * still sends is thrown away for a short while first, so that it gets to read the answer instead of a reset.
 */
export function refuseRest(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete || !carriesBody(request)) return;
  response.setHeader('connection', 'close');
  response.once('finish', () => drain(request));
}

/** Whether the request says that it carries a body. */
export function carriesBody(request: IncomingMessage): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
}

function drain(request: IncomingMessage): void {
  let left = DRAIN_BYTES;
  const socket = request.socket;
  const timer = setTimeout(() => socket.destroy(), DRAIN_MS);
  timer.unref();
  request.removeAllListeners('data');
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) socket.destroy();
  });
  request.once('close', () => clearTimeout(timer));
  request.resume();
}
