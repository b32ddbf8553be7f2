import { request, type Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { RandomNumbers } from '../random-numbers.js';
import { streamEvents, type ChatScript } from '../vendors/scripted-chat-vendor.js';

/** A model of the shipped catalogue at 150 nano-dollars per prompt token and 600 per completion token. */
export const LOAD_MODEL = 'openai/gpt-4o-mini';
const CONTENT = 'hi';
/** As reserved: 2 for the text, 4 for the role, 64 for the frame of the request, 8 for the frame of the message. */
export const MAX_PROMPT_TOKENS = 78;
export const MAX_OUTPUT_TOKENS = 40;
/** 78 prompt tokens × 150 + 40 output tokens × 600 */
export const WORST_CASE_NANO = 35_700n;

/** One stream as received by its caller. */
export interface SeenStream {
  /** 0 if no status was received. */
  readonly status: number;
  /** The header Retry-After. */
  readonly retryAfter: string | undefined;
  /** The value of performance.now() at the end of the stream. */
  readonly endedAt: number;
  readonly generationId: string | undefined;
  /** Whether the caller disconnected deliberately. */
  readonly left: boolean;
  /** The received usage. */
  readonly usage: { readonly cost: number; readonly completion_tokens: number } | undefined;
  /** Whether the stream ended with an error chunk. */
  readonly failed: boolean;
  readonly whole: boolean;
}

export interface StreamCall {
  readonly origin: string;
  readonly key: string;
  /** The number of chunks after which the caller disconnects; absent = never. */
  readonly leaveAfter?: number;
  readonly agent?: Agent;
}

/** One stream. Never throws, because fault tests interrupt it deliberately. */
export function streamOnce({ origin, key, leaveAfter = Infinity, agent }: StreamCall): Promise<SeenStream> {
  return new Promise((resolve) => {
    const body = JSON.stringify({
      model: LOAD_MODEL,
      messages: [{ role: 'user', content: CONTENT }],
      max_tokens: MAX_OUTPUT_TOKENS,
      stream: true,
    });
    const call = request(`${origin}/api/v1/chat/completions`, {
      method: 'POST',
      agent,
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      },
    });
    const nothing = { status: 0, generationId: undefined, left: false, usage: undefined, failed: false, whole: false };
    call.once('error', () => resolve({ ...nothing, retryAfter: undefined, endedAt: performance.now() }));
    call.once('response', (response) => {
      let text = '';
      let left = false;
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
        if (left || text.split('\n\n').length <= leaveAfter) return;
        left = true;
        call.destroy();
      });
      response.once('error', () => undefined);
      response.once('close', () => {
        const last = text
          .split('\n\n')
          .filter((event) => event.startsWith('data: {'))
          .at(-1);
        // An interrupted stream may end with an incomplete chunk.
        const chunk = last?.endsWith('}')
          ? (JSON.parse(last.slice(6)) as Partial<SeenStream> & { error?: object })
          : {};
        resolve({
          status: response.statusCode ?? 0,
          retryAfter: response.headers['retry-after'],
          endedAt: performance.now(),
          generationId: response.headers['x-generation-id'] as string | undefined,
          left,
          usage: chunk.usage,
          failed: chunk.error !== undefined,
          whole: response.complete && text.endsWith('data: [DONE]\n\n'),
        });
      });
    });
    call.end(body);
  });
}

/**
 * Callers that stream without pause until `stop`. `leaving`: the percentage of streams in which the caller disconnects
 * at a random chunk.
 */
export class ChatLoad {
  readonly seen: SeenStream[] = [];
  readonly #stop = new AbortController();
  readonly #workers: Promise<void>[];

  constructor(origin: () => string, key: string, workers: number, { leaving = 0, seed = 1 } = {}) {
    const random = new RandomNumbers(seed);
    this.#workers = Array.from({ length: workers }, async () => {
      while (!this.#stop.signal.aborted) {
        const leaveAfter = random.chance(leaving / 100) ? random.int(1, MAX_OUTPUT_TOKENS) : undefined;
        const stream = await streamOnce({ origin: origin(), key, leaveAfter });
        this.seen.push(stream);
        if (stream.status !== 200) await sleep(20);
      }
    });
  }

  async stop(): Promise<readonly SeenStream[]> {
    this.#stop.abort();
    await Promise.all(this.#workers);
    return this.seen;
  }
}

/** Streams of random lengths. `cut`: the percentage of streams that are reset at a random chunk. */
export function randomStreams({ cut = 0, seed = 2, pauseMs = 2 } = {}): () => ChatScript {
  const random = new RandomNumbers(seed);
  return () => {
    const tokens = random.int(1, MAX_OUTPUT_TOKENS);
    const events = streamEvents(tokens, { prompt_tokens: 12, completion_tokens: tokens });
    return { events, pauseMs, resetAfter: random.chance(cut / 100) ? random.int(0, tokens + 1) : undefined };
  };
}
