import { createHash, randomBytes } from 'node:crypto';
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { LOAD_MODEL } from '../money/chat-load.js';
import { TEST_API_KEY, TEST_MANAGEMENT_KEY } from '../services/test-service.js';
import { exchange, type Received } from './exchange.js';
import { heardOf } from './rolling-vendor.js';

/** Pauses of different lengths, so that connections are idle when a replica stops. */
const MAX_CHAT_PAUSE_MS = 300;
const UPLOAD_PIECES = 20;
const MIN_UPLOAD_BYTES = 1_000_000;
const MAX_UPLOAD_BYTES = 4_000_000;
const BOUNDARY = 'b0undary';

/** The number of successful requests of one kind of caller. */
export interface LoadCount {
  done: number;
  /** Requests on a connection that was used by an earlier request. */
  reused: number;
}

/** Callers that send request after request through a proxy until `stop`, without retries. */
export class RollingLoad {
  readonly counts = { chats: empty(), uploads: empty(), messages: empty() };
  /** One line for each failure. */
  readonly failures: string[] = [];
  /** The generation ids of the buffered chats. */
  readonly generationIds: string[] = [];
  /** The hashes of the uploaded files. */
  readonly files: string[] = [];
  /** The messages to each intern. */
  readonly messages = new Map<string, string[]>();
  readonly #since = performance.now();
  readonly #pauses = new Map<'messages' | 'requests', Promise<void>>();
  readonly #underWay = { messages: 0, requests: 0 };
  readonly #stop = new AbortController();
  readonly #agents: Agent[] = [];
  readonly #callers: Promise<void>[] = [];

  constructor(
    private readonly origin: string,
    { chats, uploads, interns }: { chats: number; uploads: number; interns: readonly string[] },
  ) {
    for (let n = 0; n < chats; n++) this.#repeat((agent) => this.#chat(agent));
    for (let n = 0; n < uploads; n++) this.#repeat((agent) => this.#upload(agent));
    for (const intern of interns) {
      this.messages.set(intern, []);
      this.#repeat((agent) => this.#message(intern, agent));
    }
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#callers);
    for (const agent of this.#agents) agent.destroy();
  }

  /** Runs `work` while no request of the kind is under way. */
  async without(kind: 'messages' | 'requests', work: () => Promise<void>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#pauses.set(kind, promise);
    try {
      while (this.#underWay[kind] > 0) await sleep(10);
      await work();
    } finally {
      resolve();
    }
  }

  /** Starts a caller, which uses one keep-alive connection for all of its requests. */
  #repeat(once: (agent: Agent) => Promise<void>): void {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    this.#agents.push(agent);
    const run = async (): Promise<void> => {
      while (!this.#stop.signal.aborted) {
        await this.#pauses.get('requests');
        this.#underWay.requests++;
        await once(agent).finally(() => this.#underWay.requests--);
      }
    };
    this.#callers.push(run());
  }

  async #chat(agent: Agent): Promise<void> {
    await sleep(Math.random() * MAX_CHAT_PAUSE_MS);
    const body = { model: LOAD_MODEL, messages: [{ role: 'user', content: 'hi' }], max_tokens: 40 };
    const received = await this.#post('/chat/completions', { json: body, key: TEST_API_KEY, agent });
    if (!this.#isGood('chat', received, (text) => text.includes('"finish_reason":"stop"'))) return;
    this.generationIds.push(received.generationId!);
    count(this.counts.chats, received);
  }

  async #upload(agent: Agent): Promise<void> {
    const file = randomBytes(MIN_UPLOAD_BYTES + Math.floor(Math.random() * (MAX_UPLOAD_BYTES - MIN_UPLOAD_BYTES)));
    const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n`;
    const received = await exchange({
      method: 'POST',
      url: `${this.origin}/api/v1/files`,
      key: TEST_MANAGEMENT_KEY,
      contentType: `multipart/form-data; boundary=${BOUNDARY}`,
      body: Buffer.concat([Buffer.from(head), file, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]),
      pieces: { number: UPLOAD_PIECES, pauseMs: 25 + Math.random() * 150 },
      agent,
    });
    if (!this.#isGood('upload', received, (text) => text.includes('"id"'))) return;
    const { id } = JSON.parse(received.bytes.toString()) as { id: string };
    const url = `${this.origin}/api/v1/files/${id}`;
    const read = await exchange({ method: 'GET', url, key: TEST_MANAGEMENT_KEY, agent });
    if (!this.#isGood('file', read, (text) => text.includes(`"size_bytes":${file.length}`))) return;
    this.files.push(hashOf(file));
    count(this.counts.uploads, received);
  }

  async #message(intern: string, agent: Agent): Promise<void> {
    await this.#pauses.get('messages');
    this.#underWay.messages++;
    await this.#talk(intern, agent).finally(() => this.#underWay.messages--);
  }

  async #talk(intern: string, agent: Agent): Promise<void> {
    const sent = this.messages.get(intern)!;
    const message = `message ${sent.length} of ${intern}.`;
    sent.push(message);
    const json = { stream: true, session_id: 'rolling', messages: [{ role: 'user', content: message }] };
    const received = await this.#post(`/interns/${intern}/chat/completions`, { json, key: TEST_API_KEY, agent });
    if (!this.#isGood('message', received, (text) => contentOf(text) === heardOf(message))) {
      await sleep(100);
      return;
    }
    count(this.counts.messages, received);
  }

  #post(path: string, { json, key, agent }: { json: object; key: string; agent: Agent }): Promise<Received> {
    return exchange({
      method: 'POST',
      url: `${this.origin}/api/v1${path}`,
      key,
      contentType: 'application/json',
      body: Buffer.from(JSON.stringify(json)),
      agent,
    });
  }

  #isGood(kind: string, received: Received, fits: (text: string) => boolean): boolean {
    const { status, whole, error, reused, bytes } = received;
    const text = bytes.toString();
    if (status === 200 && whole && fits(text)) return true;
    const seconds = ((performance.now() - this.#since) / 1_000).toFixed(1);
    const how = [status, error, whole ? undefined : 'cut', reused ? 'connection used before' : undefined];
    this.failures.push(`${kind} after ${seconds} s: ${how.filter(Boolean).join(', ')}: ${text.slice(0, 500)}`);
    return false;
  }
}

export const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

const empty = (): LoadCount => ({ done: 0, reused: 0 });

function count(of: LoadCount, { reused }: Received): void {
  of.done++;
  if (reused) of.reused++;
}

interface Chunk {
  readonly choices: readonly { readonly delta: { readonly content?: string | null } }[];
  readonly error?: object;
}

/** The text of a stream; undefined unless it ended without an error. */
function contentOf(text: string): string | undefined {
  if (!text.endsWith('data: [DONE]\n\n')) return undefined;
  const chunks = text
    .split('\n\n')
    .filter((event) => event.startsWith('data: {'))
    .map((event) => JSON.parse(event.slice('data: '.length)) as Chunk);
  if (chunks.some(({ error }) => error)) return undefined;
  return chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
}
