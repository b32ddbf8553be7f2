import { badAnswer } from './vendor-fault.js';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const DATA = Buffer.from('data:');
const MOST_EVENT_BYTES = 134_217_728;

/**
 * Cuts a server-sent event stream into the data of its events. The names of events are not needed: the vendors of this
 * protocol repeat them inside. What lies within one chunk is handed on as a view of it.
 */
export class EventLines {
  /** The unfinished line, in the pieces in which it came. */
  #line: Buffer[] = [];
  #lineBytes = 0;
  #data: Buffer[] = [];
  #dataBytes = 0;

  /** The data of the events that this chunk completes. */
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
    // An event of many lines is not told from one of a long line by who has to hold it.
    if (this.#lineBytes + this.#dataBytes > MOST_EVENT_BYTES)
      throw badAnswer(`holds an event larger than ${MOST_EVENT_BYTES} bytes`);
    return events;
  }

  #withRest(end: Buffer): Buffer {
    const whole = Buffer.concat([...this.#line, end]);
    this.#line = [];
    this.#lineBytes = 0;
    return whole;
  }

  /** The line from `start` to `stop` of `bytes`: of lines that hold no data nothing is made. */
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
