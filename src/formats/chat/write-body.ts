import type { Delta, FinishReason, Json, ReasoningDetail } from '../conversation.js';
import { mergeReasoningDetails } from '../reasoning-details.js';
import type { CompleteBody, ResponseHead, ResponseOptions } from '../client-format.js';
import { WrittenProgress } from '../written-progress.js';

interface Choice {
  content: string | undefined;
  refusal: string | undefined;
  reasoning: string;
  readonly details: ReasoningDetail[];
  readonly calls: Map<number, { id?: string; name?: string; arguments: string }>;
  readonly images: object[];
  readonly annotations: Json[];
  finish: FinishReason | null;
  native: string | null;
}

/** Accumulates the steps of a response into a complete body of `/chat/completions`. */
export class ChatBodyWriter extends WrittenProgress implements CompleteBody {
  readonly #choices = new Map<number, Choice>();

  constructor(
    private readonly head: ResponseHead,
    private readonly options: Partial<ResponseOptions> = {},
  ) {
    super();
  }

  add(deltas: readonly Delta[]): void {
    for (const delta of deltas) {
      this.track(delta);
      addTo(this.#choice(delta.choice ?? 0), delta);
    }
  }

  body(usage: object, serviceTier?: string): string {
    const { id, created, model, provider } = this.head;
    return JSON.stringify({
      id,
      object: 'chat.completion',
      created,
      model,
      provider,
      system_fingerprint: null,
      service_tier: serviceTier,
      choices: [...this.#choices]
        .sort(([a], [b]) => a - b)
        .map(([index, choice]) => ({
          index,
          finish_reason: choice.finish,
          native_finish_reason: choice.native,
          message: this.#message(choice),
        })),
      usage,
    });
  }

  #choice(index: number): Choice {
    let choice = this.#choices.get(index);
    if (!choice) {
      choice = {
        content: undefined,
        refusal: undefined,
        reasoning: '',
        details: [],
        calls: new Map(),
        images: [],
        annotations: [],
        finish: null,
        native: null,
      };
      this.#choices.set(index, choice);
    }
    return choice;
  }

  #message(choice: Choice): object {
    const { content, refusal, calls, images, annotations } = choice;
    const { excludesReasoning } = this.options;
    const details = excludesReasoning ? [] : mergeReasoningDetails(choice.details);
    const toolCalls = [...calls.values()].map(({ id, name, arguments: json }) => ({
      id,
      type: 'function',
      function: { name, arguments: json },
    }));
    return {
      role: 'assistant',
      content: content ?? null,
      refusal: refusal ?? null,
      ...(choice.reasoning !== '' && !excludesReasoning ? { reasoning: choice.reasoning } : {}),
      ...(details.length > 0 ? { reasoning_details: details } : {}),
      ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}),
      ...(annotations.length > 0 ? { annotations } : {}),
      ...(images.length > 0 ? { images } : {}),
    };
  }
}

function addTo(choice: Choice, delta: Delta): void {
  switch (delta.type) {
    case 'text':
      choice.content = (choice.content ?? '') + delta.text;
      break;
    case 'refusal':
      choice.refusal = (choice.refusal ?? '') + delta.text;
      break;
    case 'reasoning':
      choice.reasoning += delta.text ?? '';
      if (delta.detail) choice.details.push(delta.detail);
      break;
    case 'tool_call': {
      const call = choice.calls.get(delta.index) ?? { arguments: '' };
      choice.calls.set(delta.index, {
        id: call.id ?? delta.id,
        name: call.name ?? delta.name,
        arguments: call.arguments + delta.arguments,
      });
      break;
    }
    case 'image':
      choice.images.push({ type: 'image_url', image_url: { url: delta.dataUrl } });
      break;
    case 'annotation':
      choice.annotations.push(delta.annotation);
      break;
    case 'finish':
      choice.finish = delta.reason;
      choice.native = delta.native;
      break;
  }
}
