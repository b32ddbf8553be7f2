import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const DRAIN_BYTES = 16_777_216;
const DRAIN_MS = 1_000;

/**
 * Before an answer to a request whose body was not read: the connection is closed after it, and what the caller still sends
 * is thrown away for a short while first. Closing at once would reset the connection, and the caller would see that
 * instead of the answer.
 */
export function refuseRest(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete || !carriesBody(request)) return;
  response.setHeader('connection', 'close');
  // Node calls this when the answer has been written; its own way destroys the socket there and then.
  request.socket.destroySoon = () => lingeringClose(request, request.socket);
}

/** Whether the request says that it carries a body. */
export function carriesBody(request: IncomingMessage): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
}

function lingeringClose(request: IncomingMessage, socket: Socket): void {
  socket.end();
  const most = socket.bytesRead + DRAIN_BYTES;
  const timer = setTimeout(() => socket.destroy(), DRAIN_MS);
  timer.unref();
  socket.once('close', () => clearTimeout(timer));
  request.on('data', () => {
    if (socket.bytesRead > most) socket.destroy();
  });
  request.once('end', () => socket.destroy());
  request.resume();
}
