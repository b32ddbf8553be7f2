import type { IncomingMessage, ServerResponse } from 'node:http';
import { goodScript, piecesOf } from './scripted-chat-vendor.js';
import { startVendorServer } from './vendor-server.js';

/** The vendor's response to one call instead of a successful response. */
export type VendorFault =
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly body?: unknown;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** A 200 with this body. */
  | { readonly kind: 'body'; readonly body: string | Buffer; readonly contentType?: string }
  /** The connection is reset before the head. */
  | { readonly kind: 'reset' }
  /** Reads the request and never responds. */
  | { readonly kind: 'silence' }
  /** Sends the head and nothing more. */
  | { readonly kind: 'head-only' }
  /** Sends this part of the successful response, then nothing more. */
  | { readonly kind: 'stall'; readonly share: number }
  /** Sends this part of the successful response, then resets the connection. */
  | { readonly kind: 'cut'; readonly share: number }
  /** A 200 with an endless body of spaces. */
  | { readonly kind: 'endless' }
  /** Responds successfully, with this pause between its pieces. */
  | { readonly kind: 'slow'; readonly pauseMs: number };

export interface SeenCall {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly raw: Buffer;
  /** Undefined if the body is a form. */
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly json: any;
  /** Set when the gateway closed the connection before the response was complete: milliseconds of performance.now(). */
  abortedAt?: number;
}

export interface ScriptedVendor {
  /** The value for OPENAI_BASE_URL. */
  readonly baseUrl: string;
  readonly seen: SeenCall[];
  /** Number of complete successful responses. */
  answered: number;
  /** The number of responses that the vendor interrupted after they had started. */
  cuts: number;
  /** Billable tokens. */
  readonly used: { input: number; output: number };
  /** The faults of the next calls, one each. A call without a fault succeeds. */
  script(...faults: VendorFault[]): void;
  close(): Promise<void>;
}

/** A PNG with one pixel. */
export const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
export const IMAGE_USAGE = {
  input_tokens: 50,
  input_tokens_details: { text_tokens: 10, image_tokens: 40 },
  output_tokens: 272,
  total_tokens: 322,
};
export const SPEECH_USAGE = { input_tokens: 7, output_tokens: 120, total_tokens: 127 };
/** Audio in which every byte is its index, to identify positions. */
export const AUDIO = Buffer.from(Array.from({ length: 5_000 }, (_, index) => index % 251));

interface Answer {
  /** Default: 200. */
  readonly status?: number;
  readonly contentType: string;
  readonly pieces: readonly (string | Buffer)[];
  readonly usage?: { readonly input_tokens: number; readonly output_tokens: number };
}

/**
 * A vendor with OpenAI's format on the loopback interface. Responds successfully or as scripted, and counts requests.
 */
export async function startScriptedVendor(): Promise<ScriptedVendor> {
  const faults: VendorFault[] = [];
  const vendor: ScriptedVendor = {
    baseUrl: '',
    seen: [],
    answered: 0,
    cuts: 0,
    used: { input: 0, output: 0 },
    script: (...next) => void faults.push(...next),
    close: () => server.close(),
  };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const raw = Buffer.concat(chunks);
    const call: SeenCall = {
      path: request.url ?? '',
      headers: request.headers,
      raw,
      json: request.headers['content-type'] === 'application/json' ? JSON.parse(raw.toString('utf8')) : undefined,
    };
    vendor.seen.push(call);
    response.once('close', () => {
      if (!response.writableFinished) call.abortedAt = performance.now();
    });
    const answer = answerTo(call);
    const fault = faults.shift();
    if (fault?.kind === 'cut') vendor.cuts++;
    if (!(await respond(response, answer, fault))) return;
    vendor.answered++;
    vendor.used.input += answer.usage?.input_tokens ?? 0;
    vendor.used.output += answer.usage?.output_tokens ?? 0;
  }

  const server = await startVendorServer(handle);
  return Object.assign(vendor, { baseUrl: `${server.origin}/v1` });
}

/** Sends the successful response or the fault. Resolves with whether the successful response was sent completely. */
export async function respond(
  response: ServerResponse,
  { contentType, pieces, status = 200 }: Omit<Answer, 'usage'>,
  fault: VendorFault | undefined,
): Promise<boolean> {
  switch (fault?.kind) {
    case 'status':
      response
        .writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers })
        .end(JSON.stringify(fault.body ?? { error: { message: `scripted ${fault.status}` } }));
      return false;
    case 'body':
      response.writeHead(200, { 'content-type': fault.contentType ?? contentType }).end(fault.body);
      return false;
    case 'reset':
      response.socket?.resetAndDestroy();
      return false;
    case 'silence':
      return false;
    case 'head-only':
      response.writeHead(200, { 'content-type': contentType }).flushHeaders();
      return false;
    case 'endless': {
      response.writeHead(200, { 'content-type': 'application/json' });
      const blanks = Buffer.alloc(1_048_576, ' ');
      const more = (): void => void (response.destroyed || response.write(blanks, more));
      more();
      return false;
    }
    case 'stall':
    case 'cut': {
      const whole = Buffer.concat(pieces.map((piece) => Buffer.from(piece)));
      response.writeHead(200, { 'content-type': contentType });
      response.write(whole.subarray(0, Math.floor(whole.length * fault.share)));
      if (fault.kind === 'cut') setTimeout(() => response.socket?.resetAndDestroy(), 20);
      return false;
    }
    case 'slow':
    case undefined:
  }
  response.writeHead(status, { 'content-type': contentType });
  for (const piece of pieces) {
    if (response.destroyed) throw new Error('the gateway closed the connection');
    response.write(piece);
    if (fault) await new Promise((resolve) => setTimeout(resolve, fault.pauseMs));
  }
  response.end();
  return true;
}

const TEXT_PATHS = new Set(
  ['chat/completions', 'responses', 'messages', 'embeddings', 'completions', 'rerank', 'audio/transcriptions'].map(
    (path) => `/v1/${path}`,
  ),
);

function answerTo(call: SeenCall): Answer {
  if (call.path === '/v1/audio/speech') return speech(call);
  if (TEXT_PATHS.has(call.path)) return text(call);
  const isStream = call.json
    ? call.json.stream === true
    : /name="stream"\r\n\r\ntrue/.test(call.raw.toString('latin1'));
  const operation = call.path === '/v1/images/edits' ? 'image_edit' : 'image_generation';
  return isStream ? imageStream(operation, call) : images(call);
}

function text(call: SeenCall): Answer {
  const script = goodScript(call);
  const contentType = script.events ? 'text/event-stream; charset=utf-8' : 'application/json';
  return { contentType, pieces: piecesOf(script), usage: { input_tokens: 0, output_tokens: 0 } };
}

function images(call: SeenCall): Answer {
  const n = Number(call.json?.n ?? 1);
  const body = {
    created: 1_790_000_000,
    background: 'opaque',
    data: Array.from({ length: n }, () => ({ b64_json: PIXEL, revised_prompt: 'A "quoted" prompt' })),
    output_format: 'png',
    quality: 'low',
    size: '1024x1024',
    usage: IMAGE_USAGE,
  };
  return { contentType: 'application/json', pieces: [JSON.stringify(body, null, 2)], usage: IMAGE_USAGE };
}

function imageStream(operation: string, call: SeenCall): Answer {
  const event = (type: string, fields: object): string =>
    `event: ${operation}.${type}\ndata: ${JSON.stringify({ type: `${operation}.${type}`, ...fields })}\n\n`;
  const common = {
    created_at: 1_790_000_000,
    size: '1024x1024',
    quality: 'low',
    background: 'opaque',
    output_format: 'png',
  };
  const previews = Array.from({ length: Number(call.json?.partial_images ?? 2) }, (_, index) =>
    event('partial_image', { ...common, partial_image_index: index, b64_json: PIXEL }),
  );
  return {
    contentType: 'text/event-stream; charset=utf-8',
    pieces: [...previews, event('completed', { ...common, b64_json: PIXEL, usage: IMAGE_USAGE })],
    usage: IMAGE_USAGE,
  };
}

function speech(call: SeenCall): Answer {
  const parts = Array.from({ length: 5 }, (_, index) => AUDIO.subarray(index * 1_000, (index + 1) * 1_000));
  if (call.json.stream_format !== 'sse')
    return { contentType: call.json.response_format === 'mp3' ? 'audio/mpeg' : 'audio/pcm', pieces: parts };
  const events = parts.map(
    (part) => `data: ${JSON.stringify({ type: 'speech.audio.delta', audio: part.toString('base64') })}\n\n`,
  );
  return {
    contentType: 'text/event-stream',
    pieces: [...events, `data: ${JSON.stringify({ type: 'speech.audio.done', usage: SPEECH_USAGE })}\n\n`],
    usage: SPEECH_USAGE,
  };
}
