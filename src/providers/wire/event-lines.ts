import { badResponse } from './vendor-fault.js';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const DATA = Buffer.from('data:');
const MAX_EVENT_BYTES = 134_217_728;

/**
 * Splits a server-sent event stream into the data of its events. Event names are ignored: vendors of this protocol
 * repeat them inside the data. Data within one chunk is returned as a view of that chunk.
 */
export class EventLines {
  /** The pieces of the unfinished line. */
  #line: Buffer[] = [];
  #lineBytes = 0;
  #data: Buffer[] = [];
  #dataBytes = 0;

  /** Returns the data of the events that this chunk completes. */
  push(chunk: Buffer): Buffer[] {
    const events: Buffer[] = [];
    let from = 0;
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
      if (this.#line.length === 0) this.#endLine(chunk, from, at, events);
      else {
        const line = this.#withRest(chunk.subarray(from, at));
        this.#endLine(line, 0, line.length, events);
      }
      from = at + 1;
    }
    if (from < chunk.length) {
      this.#line.push(from === 0 ? chunk : chunk.subarray(from));
      this.#lineBytes += chunk.length - from;
    }
    // An event of many lines and one long line take the same memory: limit their sum.
    if (this.#lineBytes + this.#dataBytes > MAX_EVENT_BYTES)
      throw badResponse(`holds an event larger than ${MAX_EVENT_BYTES} bytes`);
    return events;
  }

  #withRest(end: Buffer): Buffer {
    const whole = Buffer.concat([...this.#line, end]);
    this.#line = [];
    this.#lineBytes = 0;
    return whole;
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
      const from = start + DATA.length;
      this.#data.push(bytes.subarray(bytes[from] === 0x20 && from < end ? from + 1 : from, end));
      this.#dataBytes += stop - start;
    }
  }
}

const joined = (lines: readonly Buffer[]): Buffer =>
  Buffer.concat(lines.flatMap((line, index) => (index === 0 ? [line] : [Buffer.from('\n'), line])));
