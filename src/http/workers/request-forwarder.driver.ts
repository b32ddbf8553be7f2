import { Agent, request as send, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { unavailable } from '../../kernel/errors/errors.js';
import { hasBody, refuseRest } from '../edge/refuse-rest.js';
import { toEnvelope } from '../errors/error-envelope.js';
import { CALLER_HEADER } from './caller-header.js';

/**
 * Must be less than the keep-alive timeout of the supervisor's server. Otherwise the server may close a connection on
 * which a request is being sent.
 */
const IDLE_TIMEOUT_MS = 30_000;
const RETRY_AFTER_SECONDS = '2';
/**
 * Headers that are not forwarded: the caller header, and hop-by-hop headers (RFC 9110, section 7.6.1), which Node
 * writes itself.
 */
const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
  CALLER_HEADER,
]);

/**
 * In a worker, sends every request that is not served there to the supervisor, and returns the supervisor's response to
 * the caller.
 */
export class RequestForwarder {
  readonly #agent = new Agent({ keepAlive: true, timeout: IDLE_TIMEOUT_MS });

  constructor(
    /** The path of the supervisor's socket. */
    private readonly socketPath: string,
  ) {}

  forward(request: IncomingMessage, response: ServerResponse): void {
    const sent = this.#send(request);
    const expectsContinue = request.headers.expect?.toLowerCase() === '100-continue';
    sent.on('response', (received) => respond(received, request, response));
    sent.on('continue', () => {
      response.writeContinue();
      request.pipe(sent);
    });
    sent.on('error', () => {
      if (response.headersSent) response.destroy();
      // The supervisor may close an idle connection while it is being reused.
      else if (sent.reusedSocket && isRepeatable(request)) this.forward(request, response);
      else refuse(request, response);
    });
    response.once('close', () => sent.destroy());
    if (expectsContinue) sent.flushHeaders();
    else request.pipe(sent);
  }

  #send(request: IncomingMessage): ClientRequest {
    const { method, url, socket } = request;
    const headers = [CALLER_HEADER, socket.remoteAddress ?? ''];
    eachHeader(request, (name, value) => headers.push(name, value));
    if (request.headers['transfer-encoding'] !== undefined) headers.push('transfer-encoding', 'chunked');
    else if (request.headers['content-length'] === undefined) headers.push('content-length', '0');
    const { socketPath } = this;
    return send({ agent: this.#agent, socketPath, method, path: url, headers: headers as never, setHost: false });
  }
}

function respond(received: IncomingMessage, request: IncomingMessage, response: ServerResponse): void {
  const headers: Record<string, string | string[]> = {};
  eachHeader(received, (name, value) => {
    const other = headers[name.toLowerCase()];
    headers[name.toLowerCase()] = other === undefined ? value : [other, value].flat();
  });
  // If the body is incomplete, the supervisor refused the request without reading the whole body.
  if (!request.complete) refuseRest(request, response);
  else if (received.headers.connection === 'close') response.setHeader('connection', 'close');
  response.writeHead(received.statusCode!, received.statusMessage, headers);
  response.flushHeaders();
  received.on('error', () => response.destroy());
  received.pipe(response);
}

function refuse(request: IncomingMessage, response: ServerResponse): void {
  const { status, body } = toEnvelope(unavailable('The service is restarting. Try again in a moment.'));
  refuseRest(request, response);
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'retry-after': RETRY_AFTER_SECONDS });
  response.end(JSON.stringify(body));
}

const isRepeatable = (request: IncomingMessage): boolean =>
  (request.method === 'GET' || request.method === 'HEAD') && !hasBody(request);

function eachHeader({ rawHeaders }: IncomingMessage, use: (name: string, value: string) => void): void {
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (!CONNECTION_HEADERS.has(rawHeaders[at]!.toLowerCase())) use(rawHeaders[at]!, rawHeaders[at + 1]!);
}
