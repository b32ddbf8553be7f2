import { randomUUID } from 'node:crypto';
import { endOfString } from '../../kernel/text/json-strings.js';
import type { FinishReason } from '../conversation.js';
import { membersOf } from '../json/json-splice.js';
import { stringRanges } from './string-ranges.js';

/** How a choice ended. */
export interface ChoiceEnd {
  readonly finish: FinishReason;
  readonly native: string | null;
}

/** The form of the choices of responses that differ in their content only. */
interface ChoicesForm extends ChoiceEnd {
  /** From the name `choices` to the opening quote of the content. */
  readonly head: Buffer;
  /** From the closing quote of the content to the end of the choices. */
  readonly tail: Buffer;
  readonly excludesReasoning: boolean;
  /** What is sent of the choices before and after the content. */
  readonly pieces: readonly [string, string];
}

/** A response whose choices have a form that was learnt. */
export interface CopiedChoices extends ChoiceEnd {
  /** The choices as they are sent. */
  readonly choices: string;
  /** The response, whose member `choices` is MARK and the content. Not parsed yet: it may be no JSON. */
  readonly rest: string;
}

/** How a response that was parsed is sent. */
export interface LearntChoice extends ChoiceEnd {
  readonly excludesReasoning: boolean;
  readonly content: string;
  readonly choices: string;
  /** Other choices as they would be sent in a response of that id; undefined where their only text is not the id. */
  readonly print: (choices: unknown, id: string) => string | undefined;
}

/** Stands for a content; occurs in no other text. */
export const MARK = randomUUID();
const NAME = Buffer.from('"choices"');
const CONTENT = /"content"\s*:\s*"/g;
const MAX_FORMS = 16;
/** A longer form is not worth learning: what is in it differs from response to response. */
const MAX_FORM_BYTES = 1_024;
/** Of a response that is learnt from, which costs more than to parse it. */
const MAX_LEARNT_BYTES = 16_384;
/** Forms that were learnt in vain before only some responses are learnt from. */
const MAX_MISSES = 32;

/**
 * Most complete responses of a vendor differ in their content and in a few members beside the choices. The choices of
 * such a response are not parsed and printed: what is around the content is compared, and the content copied.
 */
export class LearntChoices {
  /** The one that was used last is the first. */
  readonly #forms: ChoicesForm[] = [];
  #misses = 0;

  /** Undefined where the response has no form that was learnt. */
  copy(body: Buffer, excludesReasoning: boolean): CopiedChoices | undefined {
    const at = body.indexOf(NAME);
    if (at < 0) return undefined;
    for (let index = 0; index < this.#forms.length; index++) {
      const form = this.#forms[index]!;
      const { head, tail } = form;
      const start = at + head.length;
      if (form.excludesReasoning !== excludesReasoning || !hasAt(body, head, at)) continue;
      const end = endOfString(body, start) - 1;
      if (end <= start || !hasAt(body, tail, end)) continue;
      if (index > 0) this.#forms.unshift(...this.#forms.splice(index, 1));
      this.#misses = 0;
      const content = body.toString('utf8', start, end);
      const [before, after] = form.pieces;
      return {
        finish: form.finish,
        native: form.native,
        choices: before + content + after,
        rest: `${body.toString('utf8', 0, at)}"choices":"${MARK}${content}"${body.toString('utf8', end + tail.length)}`,
      };
    }
    return undefined;
  }

  /** `body`: a response that was parsed and has one choice, whose content is its only text. */
  learn(body: Buffer, { content, choices, print, ...end }: LearntChoice): void {
    if (body.length > MAX_LEARNT_BYTES) return;
    if (this.#misses >= MAX_MISSES && this.#misses++ % MAX_MISSES !== 0) return;
    const named = membersOf(body).filter(({ name }) => name === 'choices');
    const [member] = named;
    if (!member || named.length > 1 || body.indexOf(NAME) !== member.start) return;
    const bytes = body.subarray(member.start, member.end);
    const valueStart = member.valueStart - member.start;
    for (const [from, to] of stringRanges(bytes, CONTENT)) {
      if (from + bytes.length - to > MAX_FORM_BYTES) continue;
      const marked = bytes.toString('utf8', valueStart, from) + MARK + bytes.toString('utf8', to);
      const pieces = print(JSON.parse(marked), MARK)?.split(MARK);
      if (pieces?.length !== 2 || pieces.join(JSON.stringify(content).slice(1, -1)) !== choices) continue;
      this.#misses++;
      this.#forms.unshift({
        ...end,
        head: Buffer.from(bytes.subarray(0, from)),
        tail: Buffer.from(bytes.subarray(to)),
        pieces: pieces as [string, string],
      });
      this.#forms.splice(MAX_FORMS);
      return;
    }
  }
}

const hasAt = (bytes: Buffer, part: Buffer, at: number): boolean =>
  at + part.length <= bytes.length && bytes.compare(part, 0, part.length, at, at + part.length) === 0;
