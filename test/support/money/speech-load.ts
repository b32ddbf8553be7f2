import { request, Agent } from 'node:http';

/** During an outage the callers retry, with a pause that leaves the processor to the recovering services. */
const PAUSE_AFTER_FAILURE_MS = 100;

/** One call, and the part of its response that the client received. */
export interface SeenCall {
  /** 0 if no status was received. */
  readonly status: number;
  readonly generationId: string | undefined;
  /** Whether the complete response was received, including its end. */
  readonly whole: boolean;
}

/** One speech call. Never throws, because fault tests interrupt it deliberately. */
export function speakOnce(origin: string, key: string, input: string, agent?: Agent): Promise<SeenCall> {
  return new Promise((resolve) => {
    const body = JSON.stringify({ model: 'builtin/flite', voice: 'kal16', response_format: 'pcm', input });
    const call = request(`${origin}/api/v1/audio/speech`, {
      method: 'POST',
      agent,
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      },
    });
    call.once('error', () => resolve({ status: 0, generationId: undefined, whole: false }));
    call.once('response', (answer) => {
      const seen = {
        status: answer.statusCode ?? 0,
        generationId: answer.headers['x-generation-id'] as string | undefined,
      };
      answer.resume();
      answer.once('error', () => resolve({ ...seen, whole: false }));
      answer.once('close', () => resolve({ ...seen, whole: answer.complete }));
    });
    call.end(body);
  });
}

/** Callers that request speech without pause until `stop`. */
export class SpeechLoad {
  readonly seen: SeenCall[] = [];
  readonly #stop = new AbortController();
  readonly #workers: Promise<void>[];

  constructor(origin: () => string, key: string, workers: number) {
    this.#workers = Array.from({ length: workers }, async (_, worker) => {
      for (let turn = 0; !this.#stop.signal.aborted; turn++) {
        const call = await speakOnce(origin(), key, `w${worker} t${turn}`);
        this.seen.push(call);
        if (call.status !== 200) await new Promise((next) => setTimeout(next, PAUSE_AFTER_FAILURE_MS));
      }
    });
  }

  async stop(): Promise<readonly SeenCall[]> {
    this.#stop.abort();
    await Promise.all(this.#workers);
    return this.seen;
  }
}
