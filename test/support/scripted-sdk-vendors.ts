import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AUDIO, PIXEL } from './scripted-vendor.js';

export interface SdkCall {
  readonly method: string;
  /** Behind the vendor's base address, with its query. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly json: any;
}

type Answer = (call: SdkCall, base: string) => { json?: unknown; bytes?: Buffer; status?: number } | undefined;

const picture = { bytes: Buffer.from(PIXEL, 'base64') };
const audio = { bytes: AUDIO };
const on = (pattern: RegExp, { method, path }: SdkCall, answer: () => ReturnType<Answer>): ReturnType<Answer> =>
  pattern.test(`${method} ${path}`) ? answer() : undefined;

/** What each vendor answers to a good request, in its own format. */
export const SDK_ANSWERS: Readonly<Record<string, Answer>> = {
  azure: (call) =>
    on(/^POST \/images\/generations/, call, () => ({
      json: {
        created: 1,
        data: Array.from({ length: call.json.n }, () => ({ b64_json: PIXEL })),
        usage: { input_tokens: 9, output_tokens: 20, total_tokens: 29 },
      },
    })),
  'black-forest-labs': (call, base) =>
    on(/^POST \/flux-[\w.-]+$/, call, () => ({ json: { id: 'job-1', polling_url: `${base}/get_result` } })) ??
    on(/^GET \/get_result\?id=job-1$/, call, () => ({
      json: { status: 'Ready', result: { sample: `${base}/sample.png` } },
    })) ??
    on(/^GET \/sample\.png$/, call, () => picture),
  deepgram: (call) => on(/^POST \/v1\/speak\?/, call, () => audio),
  elevenlabs: (call) => on(/^POST \/v1\/text-to-speech\/alloy\?/, call, () => audio),
  fal: (call, base) =>
    on(/^POST \/fal-ai\/flux[\w/-]+$/, call, () => ({
      json: {
        images: [{ url: `${base}/files/1.png`, width: 1, height: 1, content_type: 'image/png' }],
        timings: {},
        seed: 7,
        has_nsfw_concepts: [false],
        prompt: 'x',
      },
    })) ?? on(/^GET \/files\/1\.png$/, call, () => picture),
  google: (call) =>
    on(/^POST \/models\/gemini-2\.5-flash-image:generateContent$/, call, () => ({
      json: {
        candidates: [
          {
            content: { role: 'model', parts: [{ inlineData: { mimeType: 'image/png', data: PIXEL } }] },
            finishReason: 'STOP',
          },
        ],
        usageMetadata: { promptTokenCount: 4, candidatesTokenCount: 1290, totalTokenCount: 1294 },
      },
    })),
  hume: (call) => on(/^POST \/v0\/tts\/file$/, call, () => audio),
  lmnt: (call) => on(/^POST \/v1\/ai\/speech\/bytes$/, call, () => audio),
  luma: (call, base) =>
    on(/^POST \/dream-machine\/v1\/generations\/image$/, call, () => ({ json: { id: 'g-1', state: 'queued' } })) ??
    on(/^GET \/dream-machine\/v1\/generations\/g-1$/, call, () => ({
      json: { id: 'g-1', state: 'completed', assets: { image: `${base}/cdn/1.png` } },
    })) ??
    on(/^GET \/cdn\/1\.png$/, call, () => picture),
  replicate: (call, base) =>
    on(/^POST \/models\/[\w-]+\/[\w.-]+\/predictions$/, call, () => ({
      status: 201,
      json: {
        id: 'p-1',
        status: 'succeeded',
        urls: { get: `${base}/predictions/p-1` },
        output: Array.from({ length: call.json.input.num_outputs }, () => `${base}/out.png`),
      },
    })) ?? on(/^GET \/out\.png$/, call, () => picture),
  xai: (call) =>
    on(/^POST \/images\/generations$/, call, () => ({
      json: { data: Array.from({ length: call.json.n }, () => ({ b64_json: PIXEL })) },
    })) ?? on(/^POST \/tts$/, call, () => audio),
};

export interface ScriptedSdkVendors {
  baseUrlOf(slug: string): string;
  /** The calls of one vendor. */
  seenBy(slug: string): SdkCall[];
  /** Answers the next call in this way. */
  script(answer: (response: ServerResponse) => void): void;
  /** Forgets what is scripted. */
  clear(): void;
  close(): Promise<void>;
}

/** All of them on one port, each under its slug. */
export async function startScriptedSdkVendors(): Promise<ScriptedSdkVendors> {
  const seen: (SdkCall & { slug: string })[] = [];
  const scripted: ((response: ServerResponse) => void)[] = [];
  const server = createServer((request, response) => void handle(request, response).catch(() => response.destroy()));
  const baseUrlOf = (slug: string): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/${slug}`;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const [, slug = '', path = ''] = /^\/([^/]+)(\/.*)$/.exec(request.url!) ?? [];
    const text = Buffer.concat(chunks).toString('utf8');
    const call = {
      slug,
      method: request.method!,
      path,
      headers: request.headers,
      json: request.headers['content-type']?.startsWith('application/json') ? JSON.parse(text) : undefined,
    };
    seen.push(call);
    const script = scripted.shift();
    if (script) return script(response);
    const answer = SDK_ANSWERS[slug]?.(call, baseUrlOf(slug)) ?? {
      status: 404,
      json: { error: `no ${request.method} ${request.url}` },
    };
    response
      .writeHead(answer.status ?? 200, {
        'content-type': answer.bytes ? 'application/octet-stream' : 'application/json',
      })
      .end(answer.bytes ?? JSON.stringify(answer.json));
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrlOf,
    seenBy: (slug) => seen.filter((call) => call.slug === slug),
    script: (answer) => void scripted.push(answer),
    clear: () => void (scripted.length = 0),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
