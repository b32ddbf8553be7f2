import type { GatewayError } from '../../kernel/errors/errors.js';
import { incompleteResponse } from '../bad-response.js';
import { withoutPrototypeMembers } from '../../kernel/text/prototype-members.js';
import type { FinishReason } from '../conversation.js';
import type { ResponseHead, StreamRelay } from '../client-format.js';
import { isSet, textOf, type Members } from '../members.js';
import { failureOfEvent } from '../response-members.js';
import { chatUsageOf } from '../chat/chunk-members.js';
import { CompletionChoices } from './choices.js';
import { closing, eventOf, failing } from './events.js';

interface RelayTerms {
  readonly head: ResponseHead;
  /** Number of requested choices, for all prompts together. */
  readonly choices: number;
  /** Converts a vendor's error object to a failure. */
  readonly failure: (error: unknown) => GatewayError;
}

/**
 * Rewrites a vendor's stream of `/completions`: `id`, `model` and `provider` are ours, and the vendor's usage is not
 * relayed.
 */
export class CompletionRelay implements StreamRelay {
  usage: unknown;
  upstreamId: string | undefined;
  serviceTier: string | undefined;
  failure: GatewayError | undefined;
  isDone = false;
  readonly #choices: CompletionChoices;

  constructor(private readonly terms: RelayTerms) {
    this.#choices = new CompletionChoices(terms.failure);
  }

  get sawOutput(): boolean {
    return this.#choices.texts().length > 0;
  }

  get finished(): boolean {
    return this.#choices.areFinished && (this.isDone || this.#choices.count >= this.terms.choices);
  }

  get finishReason(): FinishReason | undefined {
    return this.#choices.finish?.reason;
  }

  get nativeFinishReason(): string | null | undefined {
    return this.#choices.finish?.native;
  }

  text(): string[] {
    return this.#choices.texts();
  }

  push(events: readonly Buffer[]): Uint8Array {
    const written: string[] = [];
    for (const data of events) {
      if (this.failure || this.isDone) break;
      const text = withoutPrototypeMembers(data).toString('utf8').trim();
      if (text === '') continue;
      if (text === '[DONE]') this.isDone = true;
      else this.failure = failureOfEvent(text, (chunk) => written.push(this.#event(chunk)));
    }
    if (this.isDone) this.#assertFinished();
    return Buffer.from(written.join(''));
  }

  pushWhole(body: Buffer): Uint8Array {
    return this.push([body, Buffer.from('[DONE]')]);
  }

  end(): Uint8Array {
    this.#assertFinished();
    return Buffer.alloc(0);
  }

  closing(usage: object, serviceTier: string | undefined): Uint8Array {
    return closing(this.terms.head, usage, serviceTier);
  }

  failing(error: unknown): Uint8Array {
    return failing(this.terms.head, error);
  }

  #event(chunk: Members): string {
    const { id, error, choices, service_tier: tier } = chunk;
    if (isSet(error)) throw this.terms.failure(error);
    this.upstreamId ??= textOf(id) || undefined;
    this.serviceTier = textOf(tier) ?? this.serviceTier;
    this.usage = chatUsageOf(chunk) ?? this.usage;
    if (!Array.isArray(choices) || choices.length === 0) return '';
    return eventOf(this.terms.head, { choices: choices.map((choice, at) => this.#choices.normalise(choice, at)) });
  }

  #assertFinished(): void {
    if (!this.failure && !this.finished) this.failure = incompleteResponse();
  }
}
