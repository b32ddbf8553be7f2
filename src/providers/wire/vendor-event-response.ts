import type { GatewayError } from '../../kernel/errors/errors.js';
import type { SecretValue } from '../../kernel/secret-value.js';
import type { WireCall } from '../ports/text-adapter.port.js';
import type { WireResponse } from '../../formats/vendor-text.js';
import { maxEventBytesOf } from './bounded-events.js';
import { EventLines } from './event-lines.js';
import type { VendorResponse } from './vendor-response.js';
import { faultOfMember } from './error-member.js';

const EVENT_STREAM = 'text/event-stream';
const LINE_END = Buffer.from('\n');

/** A vendor's response to a text request: the data of its events, or a single body. */
export class VendorEventResponse implements WireResponse {
  readonly isStream: boolean;
  readonly #lines: EventLines;

  constructor(
    private readonly response: VendorResponse,
    private readonly secret: SecretValue | null,
    call: Pick<WireCall, 'mayHoldMedia' | 'request'>,
  ) {
    const { format, bytes } = call.request;
    // Some events of `/responses` repeat the instructions and tools of the request.
    const repeatedBytes = format.name === 'responses' ? bytes.length : 0;
    this.#lines = new EventLines(maxEventBytesOf(call) + repeatedBytes);
    this.isStream = response.contentType === EVENT_STREAM;
  }

  whole(maxBytes: number): Promise<Buffer> {
    return this.response.bytes(maxBytes);
  }

  events(): AsyncIterator<readonly Buffer[], undefined> {
    const { response } = this;
    const lines = this.#lines;
    let isOver = false;
    return {
      async next() {
        while (!isOver) {
          const step = await response.next();
          // Adds the blank line after the last event, in case the vendor left it out. An event with an unfinished line
          // is dropped.
          const events = lines.push(step.done ? LINE_END : (step.value as Buffer));
          isOver = step.done === true;
          if (events.length > 0) return { done: false, value: events };
        }
        return { done: true, value: undefined };
      },
      async return() {
        isOver = true;
        await response.return();
        return { done: true, value: undefined };
      },
    };
  }

  async each(take: (events: readonly Buffer[]) => Promise<void> | undefined): Promise<void> {
    const lines = this.#lines;
    const pass = (chunk: Buffer): Promise<void> | undefined => {
      const events = lines.push(chunk);
      return events.length > 0 ? take(events) : undefined;
    };
    await this.response.each(pass);
    await pass(LINE_END);
  }

  discard(): void {
    this.response.discard();
  }

  failure(error: unknown): GatewayError {
    return faultOfMember(error, this.secret);
  }
}
