import { randomUUID } from 'node:crypto';
import type { Members } from '../members.js';
import { ChunkTemplate } from './chunk-template.js';
import type { EventOutput } from './event-output.js';
import type { ReceivedText } from './received-text.js';
import { stringRanges } from './string-ranges.js';

export const MAX_TEMPLATES = 4;
/** Longer events are not learnt as templates. */
export const MAX_TEMPLATE_BYTES = 16_384;
/** Learning ends after this many consecutive templates without a match, because the stream's events all differ. */
export const MAX_MISSES = 8;
/** Placeholder for the variable string of an event while a template is learnt. It occurs in no other text. */
const MARK = randomUUID();

/** Describes how an event is relayed, so that its form can be learnt. */
interface LearningTerms {
  /**
   * Returns the relayed form of `marked`, which is the event with `mark` instead of one of its strings; undefined if
   * that string is not the text of the event. The function is called after the event was relayed, so that the form
   * applies to later events. `json`: `marked` as text.
   */
  readonly relay: (marked: Members, mark: string, json: string) => string | undefined;
  /** The number of copies of the text in the relayed form. */
  readonly copies: number;
  /** The vendor's usage that the event reports. */
  readonly usage: unknown;
}

/**
 * Most events of a stream differ from an earlier one in a single string. Such an event is not parsed. It is compared
 * with the template of the earlier event, and its string is copied.
 */
export class LearntTemplates {
  #templates: ChunkTemplate[] = [];
  #misses = 0;

  /** `names`: a pattern that finds the starts of the values of text members. */
  constructor(
    private readonly received: ReceivedText,
    private readonly names: RegExp,
  ) {}

  /** Relays an event of a learnt form, records its text, and returns its template; undefined for any other event. */
  copy(data: Buffer, output: EventOutput): ChunkTemplate | undefined {
    for (const template of this.#templates) {
      const end = template.match(data);
      if (end < 0) continue;
      const { start, pieces } = template;
      for (let index = 0; index < pieces.length; index++) {
        if (index > 0) output.copy(data, start, end);
        output.copy(pieces[index]!, 0, pieces[index]!.length);
      }
      this.received.appendJson(data, start, end);
      if (this.#misses > 0) this.#misses = 0;
      return template;
    }
    return undefined;
  }

  /** Learns the form of an event. `event`: its relayed form. */
  learn(data: Buffer, event: string, { relay, copies, usage }: LearningTerms): void {
    if (this.#misses >= MAX_MISSES || data.length > MAX_TEMPLATE_BYTES) return;
    for (const [start, end] of stringRanges(data, this.names)) {
      const json = data.toString('utf8', 0, start) + MARK + data.toString('utf8', end);
      const relayed = relay(JSON.parse(json) as Members, MARK, json);
      if (relayed === undefined) continue;
      const pieces = relayed.split(MARK);
      if (pieces.length - 1 !== copies || event.includes(MARK)) return;
      const fixed = copies === 0 ? [] : pieces.map((piece) => Buffer.from(piece));
      const template = ChunkTemplate.of(data, [start, end], fixed, usage);
      this.#templates = [template, ...this.#templates].slice(0, MAX_TEMPLATES);
      this.#misses++;
      return;
    }
  }
}
