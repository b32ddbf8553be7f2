import { randomUUID } from 'node:crypto';
import { endOfString } from '../../kernel/text/json-strings.js';
import type { FinishReason } from '../conversation.js';
import { jsonMembers } from '../json/json-splice.js';
import { stringRanges } from './string-ranges.js';

/** The end of a choice. */
export interface ChoiceEnd {
  readonly finish: FinishReason;
  readonly native: string | null;
}

/** The form of choices in responses that differ only in their content. */
interface ChoicesForm extends ChoiceEnd {
  /** The bytes from the name `choices` to the opening quote of the content. */
  readonly head: Buffer;
  /** The bytes from the closing quote of the content to the end of the choices. */
  readonly tail: Buffer;
  readonly excludesReasoning: boolean;
  /** The text to send before and after the content. */
  readonly pieces: readonly [string, string];
}

/** A response whose choices have a learnt form. */
interface CopiedChoices extends ChoiceEnd {
  /** The choices in the form in which they are sent. */
  readonly choices: string;
  /**
   * The JSON text of the response, in which `choices` is a string: MARK and the content. It is not parsed yet, so it
   * may be invalid JSON.
   */
  readonly rest: string;
}

/** A parsed response with one choice, and the form in which it is sent. */
interface LearntChoice extends ChoiceEnd {
  readonly excludesReasoning: boolean;
  readonly content: string;
  readonly choices: string;
  /**
   * Prints choices in which `id` replaces the content, as they would be sent in a response with this id; undefined if
   * the choices contain any other text.
   */
  readonly print: (choices: unknown, id: string) => string | undefined;
}

/** Placeholder for the content of a choice. It occurs in no other text. */
export const MARK = randomUUID();
const NAME = Buffer.from('"choices"');
const CONTENT = /"content"\s*:\s*"/g;
const MAX_FORMS = 16;
/** A longer form is not learnt, because it contains data that differs between responses. */
const MAX_FORM_BYTES = 1_024;
/** Maximum size of a response from which a form is learnt, because learning costs more than parsing. */
const MAX_LEARNT_BYTES = 16_384;
/** After this number of learnt forms without a match, only every MAX_MISSES-th response is used for learning. */
const MAX_MISSES = 32;

/**
 * Most complete responses of a vendor differ only in their content and in a few members outside the choices. The
 * choices of such a response are neither parsed nor serialised: the bytes around the content are compared, and the
 * content is copied.
 */
export class LearntChoices {
  /** Most recently used first. */
  readonly #forms: ChoicesForm[] = [];
  #misses = 0;

  /** Undefined if the response has no learnt form. */
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

  /** `body`: a response with one choice. The content of this choice is its only text. */
  learn(body: Buffer, { content, choices, print, ...end }: LearntChoice): void {
    if (body.length > MAX_LEARNT_BYTES) return;
    if (this.#misses >= MAX_MISSES && this.#misses++ % MAX_MISSES !== 0) return;
    const named = jsonMembers(body).filter(({ name }) => name === 'choices');
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
