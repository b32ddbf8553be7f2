import { isObject, type Members } from '../../spec/json-members.js';
import { EventLines, MAX_MEDIA_EVENT_BYTES, MAX_TEXT_EVENT_BYTES } from '../../wire/event-lines.js';
import { JsonSplice, membersOf } from '../../wire/json-splice.js';

type Fetch = typeof globalThis.fetch;

/** What the package gets in the place of a report: it refuses a response without these counts. */
const ACCEPTED = { input_tokens: 0, output_tokens: 0 };

const USAGE_EVENTS = ['message_start', 'message_delta'];
const LINE_BREAK = /\r?\n/;

/**
 * The vendor's own report of one response of `/messages`, whatever it holds: a response without one is billed by what
 * can be counted (inference/text/text-charge.ts). Counts of a stream are cumulative, and the last report of each holds.
 */
export class MessagesUsage {
  /** Undefined = none yet. */
  reported: unknown;

  constructor(private readonly call: { readonly streamed: boolean; readonly mayHoldMedia?: boolean }) {}

  /** A `fetch` for the package that keeps the report of its response. */
  keepOf(send: Fetch): Fetch {
    return async (input, init) => {
      const response = await send(input, init);
      const { ok, status, headers, body } = response;
      if (!ok || !body) return response;
      if (!this.call.streamed) return new Response(this.#whole(Buffer.from(await response.arrayBuffer())), response);
      // Such as an access token.
      if (headers.get('content-type')?.includes('json')) return response;
      return new Response(this.#events(body), { status, headers });
    };
  }

  #whole(bytes: Buffer): Buffer<ArrayBuffer> {
    const message = parsed(bytes.toString('utf8'));
    if (!message || !Array.isArray(message['content'])) return bytes as Buffer<ArrayBuffer>;
    this.reported = message['usage'];
    const splice = new JsonSplice(bytes);
    splice.object(membersOf(bytes), new Map([['usage', JSON.stringify(ACCEPTED)]]));
    return splice.result() as Buffer<ArrayBuffer>;
  }

  #events(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const lines = new EventLines(this.call.mayHoldMedia ? MAX_MEDIA_EVENT_BYTES : MAX_TEXT_EVENT_BYTES);
    const pass = (chunk: Buffer, controller: TransformStreamDefaultController<Uint8Array>): void => {
      const events = lines.push(chunk);
      if (events.length > 0) controller.enqueue(Buffer.from(events.map((data) => this.#event(data)).join('')));
    };
    return body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, controller) =>
          pass(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength), controller),
        // The last event counts without the blank line that should end it.
        flush: (controller) => pass(Buffer.from('\n'), controller),
      }),
    );
  }

  #event(data: Buffer): string {
    const text = data.toString('utf8');
    const hasUsage = USAGE_EVENTS.some((name) => text.includes(name));
    const json = (hasUsage && this.#kept(text)) || text;
    return `${json
      .split(LINE_BREAK)
      .map((line) => `data: ${line}\n`)
      .join('')}\n`;
  }

  /** The event as the package takes it; undefined where it has no report. */
  #kept(text: string): string | undefined {
    const event = parsed(text);
    if (event?.['type'] === 'message_delta') {
      this.#add(event['usage']);
      return JSON.stringify({ ...event, usage: ACCEPTED });
    }
    const message = event?.['message'];
    if (event?.['type'] !== 'message_start' || !isObject(message)) return undefined;
    this.#add(message['usage']);
    return JSON.stringify({ ...event, message: { ...message, usage: ACCEPTED } });
  }

  #add(usage: unknown): void {
    if (!isObject(usage)) return;
    const counts = Object.entries(usage).filter(([, value]) => value !== null);
    this.reported = { ...(this.reported as Members | undefined), ...Object.fromEntries(counts) };
  }
}

function parsed(text: string): Members | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    // The package says what is wrong.
    return undefined;
  }
}
