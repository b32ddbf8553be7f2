/**
 * Refuses every request with 503, to measure the minimal cost of a refusal. If the variable LAYER is `socket`, the
 * server only searches the received bytes for the end of each request; otherwise it parses requests with node:http.
 */
import { createServer } from 'node:http';
import { createServer as createSocketServer, type AddressInfo } from 'node:net';

const BODY = '{"error":{"code":503,"message":"The service is overloaded. Try again in a moment."}}';
const RESPONSE =
  'HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json; charset=utf-8\r\n' +
  `Content-Length: ${BODY.length}\r\nRetry-After: 1\r\n\r\n${BODY}`;
const END_OF_HEAD = '\r\n\r\n';

const httpServer = createServer((_request, response) => {
  response.writeHead(503, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': BODY.length,
    'Retry-After': '1',
  });
  response.end(BODY, 'latin1');
});
const socketServer = createSocketServer({ noDelay: true }, (socket) => {
  let text = '';
  socket.on('error', () => undefined);
  socket.setEncoding('latin1').on('data', (part) => {
    text += String(part);
    const end = text.indexOf(END_OF_HEAD);
    const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
    if (end < 0 || text.length < end + END_OF_HEAD.length + length) return;
    text = '';
    socket.write(RESPONSE);
  });
});
const server = process.env['LAYER'] === 'socket' ? socketServer : httpServer;
server.listen(0, '127.0.0.1', () => {
  console.log(`ready http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
