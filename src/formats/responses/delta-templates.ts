import { randomUUID } from 'node:crypto';
import { isStringContent, paddingOf } from '../relay/chunk-template.js';
import { MAX_MISSES, MAX_TEMPLATE_BYTES, MAX_TEMPLATES } from '../relay/learnt-templates.js';
import { REST } from '../relay/string-ranges.js';
import type { Members } from '../members.js';

const MAX_DIGITS = 15;
const ZERO = 0x30;
const NUMBER = /"sequence_number"\s*:\s*(\d{1,15})(?=\s*[,}])/;
const DELTA = /"delta"\s*:\s*"/;
/** Placeholder for the text of an event while its template is learnt. It occurs in no event. */
const MARK = randomUUID();
/** Placeholder for the number of an event while its template is learnt. No event has this number. */
const NUMBER_MARK = 987_654_321_012_345;

/** The form of the deltas of one part. The deltas differ only in number, text and padding. */
interface Template {
  readonly head: Buffer;
  readonly middle: Buffer;
  readonly tail: Buffer;
  readonly isPadded: boolean;
  /** Sent before the event. If empty, the event is not sent. */
  readonly before: Buffer;
}

/**
 * Recognises deltas of a learnt form without parsing them, so that they can be sent unchanged. `match` stores its
 * result in the properties, to avoid a new object for each event.
 */
export class DeltaTemplates {
  #templates: Template[] = [];
  #misses = 0;
  before: Buffer = Buffer.alloc(0);
  sequence = 0;
  /** The offset of the first character inside the text's quotes. */
  start = 0;
  end = 0;

  match(data: Buffer): boolean {
    for (const template of this.#templates) {
      if (!this.#matches(template, data)) continue;
      this.before = template.before;
      if (this.#misses > 0) this.#misses = 0;
      return true;
    }
    return false;
  }

  /** `data`: a delta that is sent unchanged, after `before`. */
  learn(data: Buffer, before: Buffer): void {
    if (this.#misses >= MAX_MISSES || data.length > MAX_TEMPLATE_BYTES) return;
    this.#misses++;
    const text = data.toString('latin1');
    const number = NUMBER.exec(text);
    const delta = DELTA.exec(text);
    if (!number || !delta) return;
    const numberEnd = number.index + number[0].length;
    const numberStart = numberEnd - number[1]!.length;
    const start = delta.index + delta[0].length;
    REST.lastIndex = start;
    if (start < numberEnd || !REST.test(text)) return;
    const end = REST.lastIndex - 1;
    const [head, middle] = [data.subarray(0, numberStart), data.subarray(numberEnd, start)];
    if (!areMembers(`${head.toString()}${NUMBER_MARK}${middle.toString()}${MARK}${data.toString('utf8', end)}`)) return;
    const padding = paddingOf(data);
    const isPadded = padding > end;
    const tail = data.subarray(end, isPadded ? padding : data.length);
    const template = {
      head: Buffer.from(head),
      middle: Buffer.from(middle),
      tail: Buffer.from(tail),
      isPadded,
      before,
    };
    this.#templates = [template, ...this.#templates].slice(0, MAX_TEMPLATES);
  }

  #matches({ head, middle, tail, isPadded }: Template, data: Buffer): boolean {
    if (data.length < head.length || data.compare(head, 0, head.length, 0, head.length) !== 0) return false;
    let at = head.length;
    let sequence = 0;
    for (const stop = at + MAX_DIGITS; at < stop; at++) {
      const digit = data[at]! - ZERO;
      if (!(digit >= 0 && digit <= 9)) break;
      sequence = sequence * 10 + digit;
    }
    const start = at + middle.length;
    const stop = isPadded ? paddingOf(data) : data.length;
    const end = stop - tail.length;
    // JSON does not allow leading zeros.
    const isNumber = at > head.length && (at === head.length + 1 || data[head.length] !== ZERO);
    if (!isNumber || end < start) return false;
    if (data.compare(middle, 0, middle.length, at, start) !== 0) return false;
    if (data.compare(tail, 0, tail.length, end, stop) !== 0 || !isStringContent(data, start, end)) return false;
    this.sequence = sequence;
    this.start = start;
    this.end = end;
    return true;
  }
}

/** Whether the marks are top-level values of the event, not nested ones. */
function areMembers(marked: string): boolean {
  const { sequence_number: number, delta } = JSON.parse(marked) as Members;
  return number === NUMBER_MARK && delta === MARK;
}
