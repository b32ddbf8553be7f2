import type { Delta } from '../conversation.js';
import type { CompleteBody, ResponseHead, StreamWriter } from '../client-format.js';
import { WrittenProgress } from '../written-progress.js';
import { closing, eventOf, failing, headOf } from './events.js';

interface Choice {
  text: string;
  reason: string | null;
  native: string | null;
}

const choiceOf = (index: number, { text, reason, native }: Choice): object => ({
  text,
  index,
  logprobs: null,
  finish_reason: reason,
  native_finish_reason: native,
});

/** Writes steps of a response as stream events of `/completions`, which contain text only. */
export class CompletionStreamWriter extends WrittenProgress implements StreamWriter {
  constructor(private readonly head: ResponseHead) {
    super();
  }

  write(deltas: readonly Delta[]): string {
    let events = '';
    for (const delta of deltas) {
      this.track(delta);
      const index = delta.choice ?? 0;
      if (delta.type === 'text')
        events += this.#event(choiceOf(index, { text: delta.text, reason: null, native: null }));
      if (delta.type === 'finish')
        events += this.#event(choiceOf(index, { text: '', reason: delta.reason, native: delta.native }));
    }
    return events;
  }

  closing(usage: object, serviceTier: string | undefined): Uint8Array {
    return closing(this.head, usage, serviceTier);
  }

  failing(error: unknown): Uint8Array {
    return failing(this.head, error);
  }

  #event(choice: object): string {
    return eventOf(this.head, { choices: [choice] });
  }
}

/** Accumulates the steps of a response into a body of `/completions`. */
export class CompletionBodyWriter extends WrittenProgress implements CompleteBody {
  readonly #choices = new Map<number, Choice>();

  constructor(private readonly head: ResponseHead) {
    super();
  }

  add(deltas: readonly Delta[]): void {
    for (const delta of deltas) {
      this.track(delta);
      const index = delta.choice ?? 0;
      const choice = this.#choices.get(index) ?? { text: '', reason: null, native: null };
      this.#choices.set(index, choice);
      if (delta.type === 'text') choice.text += delta.text;
      if (delta.type === 'finish') {
        choice.reason = delta.reason;
        choice.native = delta.native;
      }
    }
  }

  body(usage: object): string {
    const choices = [...this.#choices].map(([index, choice]) => choiceOf(index, choice));
    return JSON.stringify({ ...headOf(this.head), choices, usage });
  }
}
