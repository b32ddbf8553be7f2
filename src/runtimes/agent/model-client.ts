import type { IncomingMessage } from 'node:http';
import { StringDecoder } from 'node:string_decoder';
import { setTimeout as sleep } from 'node:timers/promises';
import { ModelReply, type OnText } from './model-reply.ts';
import type { ProxyClient } from './proxy-client.ts';
import { messageOf, TurnFailure, unlessAborted } from './turn-failure.ts';

const ENDPOINT = new URL('http://gatehouse.internal/api/v1/chat/completions');
const MAX_ATTEMPTS = 4;
const MIN_PAUSE_MS = 500;
const MAX_PAUSE_MS = 20_000;
/** The gateway sends a comment every 10 s while the model is silent. */
const STALL_TIMEOUT_MS = 60_000;
const MAX_EVENT_CHARACTERS = 4_000_000;
const MAX_ERROR_BYTES = 65_536;
const MAX_MESSAGE_CHARACTERS = 500;

export interface ModelRequest {
  readonly model: string;
  readonly sessionId: string;
  readonly messages: readonly unknown[];
  readonly tools: readonly unknown[];
}

/** A failed call of the model. `pauseMs`: the pause before a retry; undefined = do not retry. */
export class CallFailure extends TurnFailure {
  override name = 'CallFailure';
  readonly pauseMs: number | undefined;
  /** Whether shorter messages may succeed. */
  isTooLong = false;

  constructor(status: number, message: string, pauseMs?: number) {
    const reason = status === 402 ? 'spending_limit' : 'model_unavailable';
    super(reason, message.slice(0, MAX_MESSAGE_CHARACTERS), status !== 402 && pauseMs !== undefined);
    this.pauseMs = pauseMs;
  }
}

/** Calls the intern's model through the gateway, with the intern's own key. */
export class ModelClient {
  readonly #proxy: ProxyClient;
  readonly #key: string;

  constructor(proxy: ProxyClient, key: string) {
    this.#proxy = proxy;
    this.#key = key;
  }

  /** Throws a TurnFailure. A call is retried only if no part of its response was passed to `onText`. */
  async complete(request: ModelRequest, onText: OnText, signal: AbortSignal): Promise<ModelReply> {
    const { model, sessionId, messages, tools } = request;
    const body = JSON.stringify({ model, stream: true, session_id: sessionId, messages, tools });
    for (let attempt = 1; ; attempt++) {
      const reply = new ModelReply(onText);
      try {
        await unlessAborted(this.#attempt(body, reply, signal), signal);
        return reply;
      } catch (error) {
        signal.throwIfAborted();
        const failure = error instanceof TurnFailure ? error : new CallFailure(502, unreachable(error), MIN_PAUSE_MS);
        const pauseMs = failure instanceof CallFailure ? failure.pauseMs : undefined;
        if (pauseMs === undefined || reply.isStarted || attempt === MAX_ATTEMPTS) throw failure;
        await unlessAborted(sleep(Math.min(pauseMs * 2 ** (attempt - 1), MAX_PAUSE_MS)), signal);
      }
    }
  }

  async #attempt(body: string, reply: ModelReply, signal: AbortSignal): Promise<void> {
    const ending = new AbortController();
    const stall = setTimeout(() => ending.abort(new Error('the model stalled')), STALL_TIMEOUT_MS);
    try {
      const headers = { authorization: `Bearer ${this.#key}`, 'content-type': 'application/json' };
      const all = AbortSignal.any([signal, ending.signal]);
      const response = await this.#proxy.request(ENDPOINT, { method: 'POST', headers, body }, all);
      response.on('data', () => stall.refresh());
      if (response.statusCode !== 200) throw await refusalOf(response);
      await read(response, reply);
    } finally {
      clearTimeout(stall);
      ending.abort();
    }
  }
}

async function read(response: IncomingMessage, reply: ModelReply): Promise<void> {
  for await (const data of eventData(response)) {
    if (data === '[DONE]') break;
    const error = reply.add(data);
    if (error) throw new CallFailure(error.code, error.message, isTransient(error.code) ? MIN_PAUSE_MS : undefined);
  }
  if (!reply.isFinished) throw new Error('the response of the model was cut off');
}

/** The `data` of each event of an event stream, in order. Throws if a line is too long. */
async function* eventData(stream: IncomingMessage): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const part of stream as AsyncIterable<Buffer>) {
    const lines = (rest + decoder.write(part)).split('\n');
    rest = lines.pop()!;
    if (rest.length > MAX_EVENT_CHARACTERS) throw new Error('an event is too long');
    for (const line of lines) if (line.startsWith('data:')) yield line.slice(5).trim();
  }
}

async function refusalOf(response: IncomingMessage): Promise<CallFailure> {
  const status = response.statusCode!;
  let text = '';
  for await (const part of response as AsyncIterable<Buffer>) {
    text += String(part);
    if (text.length > MAX_ERROR_BYTES) break;
  }
  const retryAfterMs = Number(response.headers['retry-after']) * 1_000;
  const pauseMs = retryAfterMs > 0 ? retryAfterMs : MIN_PAUSE_MS;
  const { message, type } = errorIn(text);
  const failure = new CallFailure(
    status,
    message ?? `The gateway refused the call of the model with status ${status}`,
    isTransient(status) ? pauseMs : undefined,
  );
  failure.isTooLong = type === 'context_length_exceeded';
  return failure;
}

function errorIn(text: string): { readonly message?: string; readonly type?: unknown } {
  try {
    const { error } = JSON.parse(text) as { error: { message?: unknown; metadata?: { error_type?: unknown } } };
    return typeof error.message === 'string' ? { message: error.message, type: error.metadata?.error_type } : {};
  } catch {
    return {};
  }
}

const isTransient = (status: number): boolean => status === 408 || status === 429 || status >= 500;

const unreachable = (error: unknown): string => `The model could not be reached: ${messageOf(error)}`;
