import { badResponse } from '../../formats/bad-response.js';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const DATA = Buffer.from('data:');
const MIN_HELD_BYTES = 1_024;

/** Maximum bytes of an event that contains only text. */
export const MAX_TEXT_EVENT_BYTES = 1_048_576;
/** Maximum bytes of an event with pictures or audio. */
export const MAX_MEDIA_EVENT_BYTES = 134_217_728;

/**
 * Splits a server-sent event stream into the data of its events. Event names are ignored, because vendors of this
 * protocol repeat them inside the data. Lines other than `data:` are dropped as they arrive. Data within one chunk is
 * returned as a view of that chunk. Data that is kept until the next chunk is a copy, so that the chunk can be freed.
 */
export class EventLines {
  /** The unfinished line; only its first `#lineBytes` bytes count. */
  #line = Buffer.alloc(0);
  #lineBytes = 0;
  /** Whether the unfinished line is dropped, because it is not a `data:` line. */
  #drops = false;
  #data: Buffer[] = [];
  #dataBytes = 0;

  constructor(private readonly maxEventBytes = MAX_MEDIA_EVENT_BYTES) {}

  /** Returns the data of the events that this chunk completes. */
  push(chunk: Buffer): Buffer[] {
    const events: Buffer[] = [];
    const held = this.#data.length;
    let from = 0;
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
      if (this.#drops) this.#drops = false;
      else if (this.#lineBytes === 0) this.#endLine(chunk, from, at, events);
      else {
        this.#hold(chunk, from, at);
        const [line, bytes] = [this.#line, this.#lineBytes];
        // A new buffer, because the data of the event may be a view of the old one.
        this.#line = Buffer.alloc(0);
        this.#lineBytes = 0;
        if (!this.#drops) this.#endLine(line, 0, bytes, events);
        this.#drops = false;
      }
      from = at + 1;
    }
    if (from < chunk.length && !this.#drops) this.#hold(chunk, from, chunk.length);
    for (let index = events.length > 0 ? 0 : held; index < this.#data.length; index++)
      this.#data[index] = Buffer.from(this.#data[index]!);
    return events;
  }

  /** Keeps a part of a line. Drops the line once it cannot be a `data:` line. */
  #hold(chunk: Buffer, from: number, to: number): void {
    const bytes = this.#lineBytes + to - from;
    this.#assertFits(bytes);
    if (bytes > this.#line.length) {
      const larger = Buffer.allocUnsafeSlow(
        Math.max(bytes, Math.min(2 * this.#line.length, this.maxEventBytes), MIN_HELD_BYTES),
      );
      this.#line.copy(larger, 0, 0, this.#lineBytes);
      this.#line = larger;
    }
    chunk.copy(this.#line, this.#lineBytes, from, to);
    this.#lineBytes = bytes;
    const compared = Math.min(bytes, DATA.length);
    if (isCarriageReturn(this.#line, bytes) || this.#line.compare(DATA, 0, compared, 0, compared) === 0) return;
    this.#drops = true;
    this.#line = Buffer.alloc(0);
    this.#lineBytes = 0;
  }

  /** Throws provider_failed if the lines of an event, including the unfinished line, are too large. */
  #assertFits(lineBytes: number): void {
    if (lineBytes + this.#dataBytes > this.maxEventBytes)
      throw badResponse(`holds an event larger than ${this.maxEventBytes} bytes`);
  }

  /** Handles the line from `start` to `stop` of `bytes`; ignores lines other than `data:`. */
  #endLine(bytes: Buffer, start: number, stop: number, events: Buffer[]): void {
    const end = stop > start && bytes[stop - 1] === CARRIAGE_RETURN ? stop - 1 : stop;
    if (end === start) {
      if (this.#data.length > 0) events.push(this.#data.length === 1 ? this.#data[0]! : joined(this.#data));
      this.#data = [];
      this.#dataBytes = 0;
    } else if (
      end - start >= DATA.length &&
      bytes[start] === DATA[0] &&
      bytes.compare(DATA, 0, DATA.length, start, start + DATA.length) === 0
    ) {
      this.#assertFits(stop - start);
      const from = start + DATA.length;
      this.#data.push(bytes.subarray(bytes[from] === 0x20 && from < end ? from + 1 : from, end));
      this.#dataBytes += stop - start;
    }
  }
}

/** Whether the line contains only a carriage return. */
const isCarriageReturn = (line: Buffer, bytes: number): boolean => bytes === 1 && line[0] === CARRIAGE_RETURN;

const joined = (lines: readonly Buffer[]): Buffer =>
  Buffer.concat(lines.flatMap((line, index) => (index === 0 ? [line] : [Buffer.from('\n'), line])));
