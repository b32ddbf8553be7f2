import { chmod } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';

export interface ScriptedCall {
  readonly name: string;
  /** An object, or a text to send unchanged. */
  readonly arguments: unknown;
}

/** One response of the model. */
export interface ScriptedReply {
  readonly text?: string;
  readonly reasoning?: string;
  readonly calls?: readonly ScriptedCall[];
  readonly tokens?: number;
  /** Sent instead of a stream. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly error?: string;
  /** The `error_type` of the error. */
  readonly type?: string;
  /** Sent unchanged, instead of the chunks. */
  readonly raw?: string;
  /** Sends only the head of the response. */
  readonly stalls?: true;
}

export interface ModelCall {
  readonly key: string | undefined;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly json: any;
}

/** A proxy that acts as the gateway for an agent, and directs tunnels to one server. */
export interface ScriptedModel {
  readonly port: number;
  readonly calls: ModelCall[];
  /** `host:port` of every tunnel, and the URL of every plain request, except requests to the model. */
  readonly ways: string[];
  /** The targets that `refuses` refused. */
  readonly refused: string[];
  refuses: (way: string) => boolean;
  /** Queues the replies to the next calls. If the queue is empty, `respond` returns the reply. */
  script(...replies: ScriptedReply[]): void;
  respond: (call: ModelCall) => ScriptedReply;
  close(): Promise<void>;
}

const DEFAULT_REPLY: ScriptedReply = { text: 'Done.' };

/** Listens on a port of 127.0.0.1 and on a socket. `tunnels`: the port of the server for every host. */
export async function openScriptedModel(tunnels: number, socketPath: string): Promise<ScriptedModel> {
  const scripts: ScriptedReply[] = [];
  const sockets = new Set<Duplex>();
  const [server, local] = [createServer(), createServer()];
  const model: ScriptedModel = {
    port: 0,
    calls: [],
    ways: [],
    refused: [],
    refuses: () => false,
    respond: () => DEFAULT_REPLY,
    script: (...replies) => void scripts.push(...replies),
    close: () =>
      new Promise((resolve) => {
        local.close(() => server.close(() => resolve()));
        for (const socket of sockets) socket.destroy();
      }),
  };
  const isRefused = (way: string): boolean => {
    model.ways.push(way);
    const refused = model.refuses(way);
    if (refused) model.refused.push(way);
    return refused;
  };
  for (const each of [server, local])
    each.on('connection', (socket: Duplex) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket)).on('error', () => undefined);
    });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    void text(request).then(
      (body) => {
        if (!/^(http:\/\/gatehouse\.internal\/api)?\/v1\/chat\/completions$/.test(request.url!)) {
          return isRefused(request.url!) ? response.writeHead(403).end() : response.end(`plain: ${body}`);
        }
        const call = { key: request.headers.authorization, json: JSON.parse(body) as unknown };
        model.calls.push(call);
        return send(response, scripts.shift() ?? model.respond(call));
      },
      () => undefined,
    );
  });
  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    if (isRefused(request.url!)) {
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      return;
    }
    const outer = connect(tunnels, '127.0.0.1', () => socket.write('HTTP/1.1 200 Connection Established\r\n\r\n'));
    sockets.add(outer);
    socket.pipe(outer).pipe(socket);
    outer.on('error', () => socket.destroy()).once('close', () => sockets.delete(outer));
    socket.on('error', () => outer.destroy());
  });
  for (const event of ['request', 'connect']) local.on(event, (...args: unknown[]) => void server.emit(event, ...args));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  await new Promise<void>((resolve) => local.listen(socketPath, resolve));
  await chmod(socketPath, 0o666);
  return Object.assign(model, { port: (server.address() as AddressInfo).port });
}

function send(response: ServerResponse, reply: ScriptedReply): unknown {
  if (reply.status !== undefined) {
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
    const { status: code, error: message = 'refused', type } = reply;
    const metadata = type === undefined ? {} : { metadata: { error_type: type } };
    return response.end(JSON.stringify({ error: { code, message, ...metadata } }));
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  if (reply.stalls) return response.write(': GATEHOUSE PROCESSING\n\n');
  return response.end(reply.raw ?? `${chunksOf(reply).map(eventOf).join('')}data: [DONE]\n\n`);
}

export const eventOf = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;

/** The chunks of a successful stream. */
export function chunksOf({ text, reasoning, calls = [], tokens = 10 }: ScriptedReply): unknown[] {
  const chunk = (delta: unknown, finish: string | null = null) => ({
    id: 'gen-1',
    model: 'scripted/model',
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const pieces = calls.flatMap(({ name, arguments: args }, index) => {
    const json = typeof args === 'string' ? args : JSON.stringify(args);
    const half = Math.floor(json.length / 2);
    return [
      chunk({ tool_calls: [{ index, id: `v${index}`, type: 'function', function: { name, arguments: '' } }] }),
      chunk({ tool_calls: [{ index, function: { arguments: json.slice(0, half) } }] }),
      chunk({ tool_calls: [{ index, function: { arguments: json.slice(half) } }] }),
    ];
  });
  const words = (text ?? '').match(/\S*\s*/g)!.filter(Boolean);
  return [
    chunk({ role: 'assistant', content: '' }),
    ...(reasoning === undefined ? [] : [chunk({ reasoning })]),
    ...words.map((content) => chunk({ content })),
    ...pieces,
    chunk({}, calls.length > 0 ? 'tool_calls' : 'stop'),
    {
      choices: [],
      usage: {
        prompt_tokens: tokens,
        completion_tokens: tokens,
        prompt_tokens_details: { cached_tokens: 1 },
        cost: 0.000_001,
      },
    },
  ];
}
