import type { IncomingMessage, ServerResponse } from 'node:http';
import { AUDIO, PIXEL, respond, type VendorFault } from './scripted-vendor.js';
import { startVendorServer } from './vendor-server.js';

export interface SdkCall {
  readonly method: string;
  /** The path after the vendor's base address, with its query. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly json: any;
  /** Set when the gateway closes the connection before the response is complete: milliseconds of performance.now(). */
  abortedAt?: number;
}

type Answer = (call: SdkCall, base: string) => { json?: unknown; bytes?: Buffer; status?: number } | undefined;

const picture = { bytes: Buffer.from(PIXEL, 'base64') };
const audio = { bytes: AUDIO };
const on = (pattern: RegExp, { method, path }: SdkCall, answer: () => ReturnType<Answer>): ReturnType<Answer> =>
  pattern.test(`${method} ${path}`) ? answer() : undefined;

/** The successful response of each vendor, in its own format. */
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

/** A model of a vendor, and how to call it. */
export interface SdkVendorCase {
  readonly slug: string;
  readonly model: string;
  /** The header with the credential, and the prefix before the credential. */
  readonly credential: readonly [header: string, prefix: string];
  /** The content of the first request. */
  readonly asked: object;
  /** The token counts in its successful response. */
  readonly usage?: { readonly promptTokens: number; readonly completionTokens: number };
}

export const PICTURES: readonly SdkVendorCase[] = [
  {
    slug: 'azure',
    model: 'gpt-image-1',
    credential: ['api-key', ''],
    asked: { model: 'gpt-image-1', prompt: 'A kite', n: 2 },
    usage: { promptTokens: 9, completionTokens: 20 },
  },
  {
    slug: 'black-forest-labs',
    model: 'flux-pro-1.1',
    credential: ['x-key', ''],
    asked: { prompt: 'A kite', aspect_ratio: '16:9', seed: 7 },
  },
  {
    slug: 'fal',
    model: 'fal-ai/flux/schnell',
    credential: ['authorization', 'Key '],
    asked: { prompt: 'A kite', seed: 7 },
  },
  {
    slug: 'google',
    model: 'gemini-2.5-flash-image',
    credential: ['x-goog-api-key', ''],
    asked: { contents: [{ role: 'user', parts: [{ text: 'A kite' }] }] },
    usage: { promptTokens: 4, completionTokens: 1290 },
  },
  {
    slug: 'luma',
    model: 'photon-1',
    credential: ['authorization', 'Bearer '],
    asked: { model: 'photon-1', prompt: 'A kite', aspect_ratio: '16:9' },
  },
  {
    slug: 'replicate',
    model: 'black-forest-labs/flux-schnell',
    credential: ['authorization', 'Bearer '],
    asked: { input: { prompt: 'A kite', aspect_ratio: '16:9', seed: 7, num_outputs: 2 } },
  },
  {
    slug: 'xai',
    model: 'grok-2-image',
    credential: ['authorization', 'Bearer '],
    asked: { model: 'grok-2-image', prompt: 'A kite', n: 2 },
  },
];
/** Vendors that generate one picture per call. */
export const SINGLE = ['black-forest-labs', 'fal', 'google', 'luma'];

export const VOICES: readonly SdkVendorCase[] = [
  { slug: 'deepgram', model: 'aura-2-thalia-en', credential: ['authorization', 'Token '], asked: { text: 'Hello' } },
  {
    slug: 'elevenlabs',
    model: 'eleven_multilingual_v2',
    credential: ['xi-api-key', ''],
    asked: { text: 'Hello', model_id: 'eleven_multilingual_v2' },
  },
  {
    slug: 'hume',
    model: '',
    credential: ['x-hume-api-key', ''],
    asked: { utterances: [expect.objectContaining({ text: 'Hello' })] },
  },
  { slug: 'lmnt', model: 'aurora', credential: ['x-api-key', ''], asked: { text: 'Hello', voice: 'alloy' } },
];

export interface ScriptedSdkVendors {
  baseUrlOf(slug: string): string;
  /** The recorded calls of one vendor. */
  seenBy(slug: string): SdkCall[];
  /** The faults of the next calls, one each. A function handles the response itself. */
  script(...faults: (VendorFault | ((response: ServerResponse) => void))[]): void;
  /** Removes the scripts. */
  clear(): void;
  close(): Promise<void>;
}

/** Starts all vendors on one port. The path of each vendor starts with its slug. */
export async function startScriptedSdkVendors(): Promise<ScriptedSdkVendors> {
  const seen: (SdkCall & { slug: string })[] = [];
  const scripted: (VendorFault | ((response: ServerResponse) => void))[] = [];
  const baseUrlOf = (slug: string): string => `${server.origin}/${slug}`;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const [, slug = '', path = ''] = /^\/([^/]+)(\/.*)$/.exec(request.url!) ?? [];
    const text = Buffer.concat(chunks).toString('utf8');
    const call: (typeof seen)[number] = {
      slug,
      method: request.method!,
      path,
      headers: request.headers,
      json: request.headers['content-type']?.startsWith('application/json') ? JSON.parse(text) : undefined,
    };
    seen.push(call);
    response.once('close', () => {
      if (!response.writableFinished) call.abortedAt = performance.now();
    });
    const fault = scripted.shift();
    if (typeof fault === 'function') return fault(response);
    const { status, json, bytes } = SDK_ANSWERS[slug]?.(call, baseUrlOf(slug)) ?? {
      status: 404,
      json: { error: `no ${request.method} ${request.url}` },
    };
    const contentType = bytes ? 'application/octet-stream' : 'application/json';
    await respond(response, { status, contentType, pieces: [bytes ?? JSON.stringify(json)] }, fault);
  }

  const server = await startVendorServer(handle);
  return {
    baseUrlOf,
    seenBy: (slug) => seen.filter((call) => call.slug === slug),
    script: (...faults) => void scripted.push(...faults),
    clear: () => void (scripted.length = 0),
    close: () => server.close(),
  };
}
