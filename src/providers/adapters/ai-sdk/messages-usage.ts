import { isObject, membersOf, textOf, type Members } from '../../../formats/members.js';
import { maxEventBytesOf, rewrittenEvents } from '../../wire/bounded-events.js';
import { JsonSplice, jsonMembers } from '../../../formats/json/json-splice.js';
import { objectIn } from '../../../formats/response-members.js';

type Fetch = typeof globalThis.fetch;

/** The usage that replaces the vendor's report, because the package refuses a response without these counts. */
const ACCEPTED = { input_tokens: 0, output_tokens: 0 };

const READ_EVENTS = ['message_start', 'message_delta', 'message_stop'];
const MESSAGE_STOP = Buffer.from('data: {"type":"message_stop"}\n\n');

/**
 * The usage that the vendor reports for one response of `/messages`, not validated. A response without a report is
 * billed by estimated usage (inference/text/text-charge.ts). Counts of a stream are cumulative: the last report of each
 * count is used. A stream is complete once it has a stop reason and a usage, as in the relay of this format. If only
 * its last event is missing, the package gets this event.
 */
export class MessagesUsage {
  /** Undefined = no report has arrived yet. */
  reported: unknown;
  #hasStopReason = false;
  #isStopped = false;

  constructor(private readonly call: { readonly streamed: boolean; readonly mayHoldMedia?: boolean }) {}

  /** A `fetch` for the package that also records the report of the response. */
  wrap(send: Fetch): Fetch {
    return async (input, init) => {
      const response = await send(input, init);
      const { ok, status, headers, body } = response;
      if (!ok || !body) return response;
      if (!this.call.streamed) return new Response(this.#whole(Buffer.from(await response.arrayBuffer())), response);
      // Forward a JSON response unchanged, because it is not the event stream but, for example, an access token.
      if (headers.get('content-type')?.includes('json')) return response;
      const events = rewrittenEvents(body, maxEventBytesOf(this.call), (data) => this.#event(data));
      return new Response(ReadableStream.from(this.#ended(events)), { status, headers });
    };
  }

  /** Adds the event `message_stop` if only this event is missing. */
  async *#ended(events: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      yield* events;
    } catch (error) {
      if (!this.#hasStopReason || this.reported === undefined) throw error;
    }
    if (this.#hasStopReason && !this.#isStopped) yield MESSAGE_STOP;
  }

  #whole(bytes: Buffer): Buffer<ArrayBuffer> {
    // The package itself reports the error of a body that is not JSON.
    const message = objectIn(bytes.toString('utf8'));
    if (!message || !Array.isArray(message['content'])) return bytes as Buffer<ArrayBuffer>;
    this.reported = message['usage'];
    const splice = new JsonSplice(bytes);
    splice.object(jsonMembers(bytes), new Map([['usage', JSON.stringify(ACCEPTED)]]));
    return splice.result() as Buffer<ArrayBuffer>;
  }

  #event(data: string): string {
    const isRead = READ_EVENTS.some((name) => data.includes(name));
    return (isRead && this.#withoutUsage(data)) || data;
  }

  /**
   * Records the report of an event, and returns the event with counts that the package accepts. Undefined for events
   * other than `message_start` and `message_delta`.
   */
  #withoutUsage(text: string): string | undefined {
    const event = objectIn(text);
    this.#isStopped ||= event?.['type'] === 'message_stop';
    if (event?.['type'] === 'message_delta') {
      this.#add(event['usage']);
      this.#hasStopReason ||= Boolean(textOf(membersOf(event['delta'])['stop_reason']));
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
