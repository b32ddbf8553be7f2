import type { GatewayError } from '../../kernel/errors/errors.js';
import { badResponse } from '../bad-response.js';
import type { FinishReason } from '../conversation.js';
import { finishReasonOf } from '../finish-reason.js';
import { isSet, membersOf, textOf, wholeNumber, type Members } from '../members.js';

const MAX_CHOICES = 1_024;

interface Finish {
  readonly reason: FinishReason;
  readonly native: string | null;
}

/** The choices of one response of `/completions`: their texts and finish reasons. */
export class CompletionChoices {
  readonly #texts = new Map<number, string>();
  readonly #finishes = new Map<number, Finish>();

  constructor(private readonly failure: (error: unknown) => GatewayError) {}

  get count(): number {
    return this.#texts.size;
  }

  get areFinished(): boolean {
    return this.#texts.size > 0 && this.#finishes.size === this.#texts.size;
  }

  /** The reason of the first choice that finished. */
  get finish(): Finish | undefined {
    return this.#finishes.values().next().value;
  }

  texts(): string[] {
    return [...this.#texts.values()].filter((text) => text !== '');
  }

  /** A choice in a form that all clients can read. `isWhole`: no chunk follows, so a choice with text has ended. */
  normalise(sent: unknown, position: number, isWhole = false): Members {
    const { index, text, logprobs, finish_reason: finish, error, usage: _usage, ...rest } = membersOf(sent);
    if (isSet(error)) throw this.failure(error);
    const at = wholeNumber(index) ?? position;
    if (at >= MAX_CHOICES) throw badResponse(`holds more than ${MAX_CHOICES} choices`);
    const piece = textOf(text) ?? '';
    this.#texts.set(at, (this.#texts.get(at) ?? '') + piece);
    const native = textOf(finish) || null;
    const hasEnded = native !== null || (isWhole && piece !== '');
    const ended = hasEnded ? { reason: finishReasonOf(native ?? 'stop', false), native } : undefined;
    if (ended?.reason === 'error') throw badResponse('holds an error instead of its end');
    if (ended) this.#finishes.set(at, ended);
    return {
      ...rest,
      text: piece,
      index: at,
      logprobs: logprobs ?? null,
      finish_reason: ended?.reason ?? null,
      native_finish_reason: ended?.native ?? null,
    };
  }
}
