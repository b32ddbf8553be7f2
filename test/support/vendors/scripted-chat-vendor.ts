import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { goodCompletions, goodRanking, goodTranscript } from './other-vendor-formats.js';
import { WIRE_FORMATS } from './wire-formats.js';
import { startVendorServer } from './vendor-server.js';
import type { VendorFormat } from '../../../src/formats/vendor-text.js';

/** The vendor's response to one call. */
export interface ChatScript {
  /** Default 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The complete body. Default: a stream or a response generated from the request. */
  readonly body?: unknown;
  /** The data of the events of a stream: objects, or texts to send unchanged. */
  readonly events?: readonly unknown[];
  /** The stream as bytes, which replaces events. */
  readonly bytes?: Buffer;
  /** The size of each write in bytes. Default: one event per write. */
  readonly splitBytes?: number;
  /** The pause between writes, in milliseconds. */
  readonly pauseMs?: number;
  /** The number of writes after which the connection is reset. */
  readonly resetAfter?: number;
  /** The number of writes after which nothing more is sent. */
  readonly stallAfter?: number;
  /** The number of writes after which the vendor waits for `released`. */
  readonly holdAfter?: number;
  readonly released?: Promise<unknown>;
}

export interface SeenChatCall {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly raw: Buffer;
  /** Undefined if the body is a form. */
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly json: any;
  /** Set when the gateway closes the connection before the response is complete. */
  aborted: boolean;
}

export interface ScriptedChatVendor {
  /** The value for `<SLUG>_BASE_URL`. */
  readonly baseUrl: string;
  readonly seen: SeenChatCall[];
  /** Billable tokens of the successful responses that were sent completely. */
  readonly used: { prompt: number; completion: number; calls: number };
  /** The scripts of the next calls, one each. A call without a script gets a successful response. */
  script(...scripts: ChatScript[]): void;
  /** Removes the unused scripts. */
  clear(): void;
  close(): Promise<void>;
}

export const CHAT_USAGE = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };
export const CHAT_TEXT = ['Hello', ', ', 'world', '! "quoted" \n', 'é😀'];

/** One chunk in this vendor's format. */
export const chatChunk = (delta: unknown, more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1_790_000_000,
  model: 'vendor-model',
  choices: [{ index: 0, delta, logprobs: null, finish_reason: null }],
  usage: null,
  ...more,
});

export const finishChunk = (finish: string, index = 0): Record<string, unknown> =>
  chatChunk(null, { choices: [{ index, delta: {}, logprobs: null, finish_reason: finish }] });

export const usageChunk = (usage: unknown = CHAT_USAGE): Record<string, unknown> =>
  chatChunk(null, { choices: [], usage });

/** A successful stream of these texts. */
export const goodEvents = (texts: readonly string[] = CHAT_TEXT): unknown[] => [
  chatChunk({ role: 'assistant', content: '', refusal: null }),
  ...texts.map((content) => chatChunk({ content })),
  finishChunk('stop'),
  usageChunk(),
  '[DONE]',
];

/** A stream of this number of texts with one token each, with this usage at its end. */
export const streamEvents = (tokens: number, usage?: object): unknown[] => [
  chatChunk({ role: 'assistant', content: '' }),
  ...Array.from({ length: tokens }, () => chatChunk({ content: ' two' })),
  finishChunk('stop'),
  ...(usage ? [usageChunk(usage)] : []),
  '[DONE]',
];

export const eventBytes = (events: readonly unknown[]): Buffer =>
  Buffer.from(events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join(''));

export const goodCompletion = (message: unknown = { role: 'assistant', content: CHAT_TEXT.join('') }): unknown => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_790_000_000,
  model: 'vendor-model',
  choices: [{ index: 0, message, logprobs: null, finish_reason: 'stop' }],
  usage: CHAT_USAGE,
});

/**
 * A vendor on loopback for `/chat/completions`, `/responses`, `/messages`, `/embeddings`, `/completions`, `/rerank` and
 * `/audio/transcriptions`. It responds successfully or as scripted, and records its requests.
 */
export async function startScriptedChatVendor(
  /** The response to a call without a script. */
  defaultScript: (call: SeenChatCall) => ChatScript = goodScript,
): Promise<ScriptedChatVendor> {
  const scripts: ChatScript[] = [];
  const seen: SeenChatCall[] = [];
  const used = { prompt: 0, completion: 0, calls: 0 };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const raw = Buffer.concat(chunks);
    const call: SeenChatCall = {
      path: request.url ?? '',
      headers: request.headers,
      raw,
      json: request.headers['content-type'] === 'application/json' ? JSON.parse(raw.toString('utf8')) : undefined,
      aborted: false,
    };
    seen.push(call);
    response.once('close', () => (call.aborted = !response.writableFinished));
    const script = scripts.shift();
    await send(script ?? defaultScript(call), response);
    if (script || !response.writableEnded) return;
    used.calls++;
    used.prompt += CHAT_USAGE.prompt_tokens;
    used.completion += call.path.endsWith('/embeddings') ? 0 : CHAT_USAGE.completion_tokens;
  }

  const server = await startVendorServer(handle);
  return {
    baseUrl: `${server.origin}/v1`,
    seen,
    used,
    script: (...next) => void scripts.push(...next),
    clear: () => void scripts.splice(0),
    close: () => server.close(),
  };
}

/** A successful response. */
export function goodScript({ path, json, raw }: Pick<SeenChatCall, 'path' | 'json' | 'raw'>): ChatScript {
  if (path.endsWith('/audio/transcriptions')) return { body: goodTranscript(raw) };
  if (path.endsWith('/rerank')) return { body: goodRanking(json) };
  if (path.endsWith('/completions') && !path.endsWith('/chat/completions')) return goodCompletions(json);
  if (path.endsWith('/embeddings')) return { body: embeddings(json) };
  if (path.endsWith('/count_tokens')) return { body: { input_tokens: CHAT_USAGE.prompt_tokens } };
  if (path.endsWith('/compact')) return { body: { ...COMPACTION, usage: RESPONSES_USAGE } };
  if (path.endsWith('/messages')) return goodTurn('messages', json.stream === true);
  if (path.endsWith('/responses')) return goodTurn('responses', json.stream === true, RESPONSES_USAGE);
  return json.stream === true ? { events: goodEvents() } : { body: goodCompletion() };
}

/** The same tokens as `CHAT_USAGE`. */
const RESPONSES_USAGE = {
  input_tokens: CHAT_USAGE.prompt_tokens,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: CHAT_USAGE.completion_tokens,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: CHAT_USAGE.total_tokens,
};

const COMPACTION = {
  id: 'resp_1',
  object: 'response.compaction',
  created_at: 1_790_000_000,
  output: [{ id: 'cmp_1', type: 'compaction', encrypted_content: 'compacted' }],
};

/** A turn of text. `usage`: replaces the format's default. */
function goodTurn(format: VendorFormat, streamed: boolean, reported?: object): ChatScript {
  const { json, events, stop, usage } = WIRE_FORMATS[format];
  const turn = { text: CHAT_TEXT, finish: stop, usage: reported ?? usage };
  return streamed ? { bytes: Buffer.concat(events(turn)) } : { body: json(turn) };
}

/** Vectors that contain their index. */
function embeddings({ input, encoding_format: format }: { input: unknown; encoding_format?: string }): unknown {
  const isList = Array.isArray(input) && typeof input[0] !== 'number';
  const vectors = (isList ? (input as unknown[]) : [input]).map((_, index) => [index, 0.5, -1]);
  return {
    object: 'list',
    data: vectors.map((vector, index) => ({
      object: 'embedding',
      index,
      embedding: format === 'base64' ? Buffer.from(new Float32Array(vector).buffer).toString('base64') : vector,
    })),
    model: 'vendor-model',
    usage: { prompt_tokens: CHAT_USAGE.prompt_tokens, total_tokens: CHAT_USAGE.prompt_tokens },
  };
}

async function send(script: ChatScript, response: ServerResponse): Promise<void> {
  const isStream = script.events !== undefined || script.bytes !== undefined;
  response.writeHead(script.status ?? 200, {
    'content-type': isStream ? 'text/event-stream; charset=utf-8' : 'application/json',
    ...script.headers,
  });
  for (const [index, piece] of piecesOf(script).entries()) {
    if (index === script.resetAfter) return void response.socket?.resetAndDestroy();
    if (index === script.stallAfter) return;
    if (index === script.holdAfter) await script.released;
    if (response.destroyed) throw new Error('the gateway closed the connection');
    await new Promise((resolve) => response.write(piece, resolve));
    if (script.pauseMs !== undefined) await sleep(script.pauseMs);
  }
  response.end();
}

/** The writes of a script. */
export function piecesOf({ body, events, bytes, splitBytes }: ChatScript): Buffer[] {
  const whole =
    bytes ?? (events ? eventBytes(events) : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body ?? {})));
  if (splitBytes !== undefined)
    return Array.from({ length: Math.ceil(whole.length / splitBytes) }, (_, index) =>
      whole.subarray(index * splitBytes, (index + 1) * splitBytes),
    );
  return events && !bytes ? events.map((event) => eventBytes([event])) : [whole];
}
