import { request, type Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { RandomNumbers } from '../random-numbers.js';
import { streamEvents, type ChatScript } from '../vendors/scripted-chat-vendor.js';

/** A model of the shipped catalogue at 150 nano-dollars a prompt token and 600 a completion token. */
export const LOAD_MODEL = 'openai/gpt-4o-mini';
const CONTENT = 'hi';
/** 2 bytes of text, 4 of the role, 64 for the frame, 8 for the message. */
export const MAX_PROMPT_TOKENS = 78;
export const MAX_OUTPUT_TOKENS = 40;
/** 78 × 150 + 40 × 600 */
export const WORST_CASE_NANO = 35_700n;

/** One stream as its caller saw it. */
export interface SeenStream {
  /** 0 where no status came. */
  readonly status: number;
  readonly generationId: string | undefined;
  /** Whether the caller left on purpose. */
  readonly left: boolean;
  /** The usage that arrived. */
  readonly usage: { readonly cost: number; readonly completion_tokens: number } | undefined;
  /** Whether the stream ended with the chunk of an error. */
  readonly failed: boolean;
  readonly whole: boolean;
}

export interface StreamCall {
  readonly origin: string;
  readonly key: string;
  /** Chunks after which the caller leaves; absent = it stays. */
  readonly leaveAfter?: number;
  readonly agent?: Agent;
}

/** One stream; never throws, because being cut off is what the fault tests are about. */
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
    call.once('error', () => resolve(nothing));
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
        // A cut stream may end in half a chunk.
        const chunk = last?.endsWith('}')
          ? (JSON.parse(last.slice(6)) as Partial<SeenStream> & { error?: object })
          : {};
        resolve({
          status: response.statusCode ?? 0,
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

/** Callers that stream without pause until `stop`; of each hundred, `leaving` leave at a random chunk. */
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

/** Streams of random lengths; of each hundred, `cut` are reset at a random chunk. */
export function randomStreams({ cut = 0, seed = 2, pauseMs = 2 } = {}): () => ChatScript {
  const random = new RandomNumbers(seed);
  return () => {
    const tokens = random.int(1, MAX_OUTPUT_TOKENS);
    const events = streamEvents(tokens, { prompt_tokens: 12, completion_tokens: tokens });
    return { events, pauseMs, resetAfter: random.chance(cut / 100) ? random.int(0, tokens + 1) : undefined };
  };
}
