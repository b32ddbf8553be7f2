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
      this.#endLine(this.#withRest(chunk.subarray(from, at)), events);
      from = at + 1;
    }
    if (from < chunk.length) {
      this.#line.push(chunk.subarray(from));
      this.#lineBytes += chunk.length - from;
    }
    // An event of many lines is not told from one of a long line by who has to hold it.
    if (this.#lineBytes + this.#dataBytes > MOST_EVENT_BYTES) throw badAnswer(`holds an event larger than ${MOST_EVENT_BYTES} bytes`);
    return events;
  }

  #withRest(end: Buffer): Buffer {
    if (this.#line.length === 0) return end;
    const whole = Buffer.concat([...this.#line, end]);
    this.#line = [];
    this.#lineBytes = 0;
    return whole;
  }

  #endLine(line: Buffer, events: Buffer[]): void {
    const end = line.at(-1) === CARRIAGE_RETURN ? line.length - 1 : line.length;
    if (end === 0) {
      if (this.#data.length > 0) events.push(this.#data.length === 1 ? this.#data[0]! : joined(this.#data));
      this.#data = [];
      this.#dataBytes = 0;
    } else if (end >= DATA.length && line.compare(DATA, 0, DATA.length, 0, DATA.length) === 0) {
      const start = line[DATA.length] === 0x20 ? DATA.length + 1 : DATA.length;
      this.#data.push(line.subarray(start, end));
      this.#dataBytes += line.length;
    }
  }
}

const joined = (lines: readonly Buffer[]): Buffer => Buffer.concat(lines.flatMap((line, index) => (index === 0 ? [line] : [Buffer.from('\n'), line])));
