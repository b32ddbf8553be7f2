import type { ReportedUsage } from '../../spec/endpoint-call.js';
import { EventLines } from '../../wire/event-lines.js';
import type { VendorAnswer } from '../../wire/vendor-answer.js';
import { badAnswer } from '../../wire/vendor-fault.js';
import { readUsage } from './reported-usage.js';

interface SpeechEvent {
  readonly type?: unknown;
  readonly audio?: unknown;
  readonly usage?: unknown;
  readonly error?: unknown;
}

/** Speech that comes as events: their audio, decoded, and the usage that the last of them holds. */
export class SpeechEvents {
  #usage: ReportedUsage | undefined;
  #isDone = false;

  constructor(private readonly answer: VendorAnswer) {}

  get usage(): ReportedUsage | undefined {
    return this.#usage;
  }

  get isComplete(): boolean {
    return this.#isDone;
  }

  /** Ends when the vendor has said that it is done and what it used; a stream that ends without is a truncated one. */
  async *audio(): AsyncGenerator<Uint8Array, void, undefined> {
    const lines = new EventLines();
    for await (const chunk of this.answer) {
      // What one chunk brings leaves as one piece, and whether it is the last is known before it leaves.
      const pieces: Buffer[] = [];
      for (const data of lines.push(chunk as Buffer)) this.#read(data, pieces);
      if (pieces.length > 0) yield pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
      if (!this.#isDone) continue;
      this.answer.discard();
      return;
    }
    throw badAnswer('ended before its audio was complete');
  }

  #read(data: Buffer, pieces: Buffer[]): void {
    const event = parsed(data);
    if (event === undefined) return;
    if (event.type === 'error' || (event.error !== undefined && event.error !== null))
      throw badAnswer('broke off with an error');
    if (event.type === 'speech.audio.delta' && typeof event.audio === 'string')
      pieces.push(Buffer.from(event.audio, 'base64'));
    if (event.type === 'speech.audio.done') {
      this.#usage = readUsage(JSON.stringify(event.usage ?? null));
      if (this.#usage?.promptTokens === undefined || this.#usage.completionTokens === undefined)
        throw badAnswer('ended without its usage');
      this.#isDone = true;
    }
  }
}

function parsed(data: Buffer): SpeechEvent | undefined {
  const text = data.toString('utf8');
  if (text.startsWith('[DONE]')) return undefined;
  let event: unknown;
  try {
    event = JSON.parse(text);
  } catch {
    throw badAnswer('holds an event that is not valid JSON');
  }
  return typeof event === 'object' && event !== null ? event : undefined;
}
