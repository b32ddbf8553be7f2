import type { Delta, FinishReason } from './conversation.js';
import type { ResponseProgress } from './client-format.js';

/** The progress of a response in the canonical form, and the text from which its tokens can be estimated. */
export abstract class WrittenProgress implements ResponseProgress {
  readonly #texts = new Map<number, string>();
  readonly #finishes = new Map<number, Extract<Delta, { type: 'finish' }>>();
  readonly #choices = new Set<number>();
  #sawOutput = false;

  /** Whether every choice that has started also has a finish reason. */
  get finished(): boolean {
    return this.#finishes.size > 0 && this.#finishes.size === this.#choices.size;
  }

  get sawOutput(): boolean {
    return this.#sawOutput;
  }

  get finishReason(): FinishReason | undefined {
    return this.#firstFinish()?.reason;
  }

  get nativeFinishReason(): string | null | undefined {
    return this.#firstFinish()?.native;
  }

  /**
   * The received text of each choice: content, refusal, reasoning and tool calls, including parts that are not sent to
   * the client.
   */
  text(): string[] {
    return [...this.#texts.values()];
  }

  protected track(delta: Delta): void {
    const choice = delta.choice ?? 0;
    this.#choices.add(choice);
    if (delta.type === 'finish') return void this.#finishes.set(choice, delta);
    this.#sawOutput ||= delta.type !== 'annotation';
    const text = textOf(delta);
    if (text !== '') this.#texts.set(choice, (this.#texts.get(choice) ?? '') + text);
  }

  #firstFinish(): Extract<Delta, { type: 'finish' }> | undefined {
    return this.#finishes.values().next().value;
  }
}

function textOf(delta: Delta): string {
  switch (delta.type) {
    case 'text':
    case 'refusal':
      return delta.text;
    case 'reasoning':
      return delta.text ?? '';
    case 'tool_call':
      return (delta.name ?? '') + delta.arguments;
    default:
      return '';
  }
}
