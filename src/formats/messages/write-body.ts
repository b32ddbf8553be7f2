import { parseWithoutPrototypeMembers } from '../../kernel/text/prototype-members.js';
import type { Delta } from '../conversation.js';
import type { CompleteBody, ResponseHead, ResponseOptions } from '../client-format.js';
import { WrittenProgress } from '../written-progress.js';
import { BlockSteps, type BlockStep } from './block-steps.js';
import { emptyMessage, stopReasonOf } from './events.js';

type Block = Record<string, unknown>;

/** Accumulates the steps of a response into the body of a complete response of `/messages`. */
export class MessageWriter extends WrittenProgress implements CompleteBody {
  readonly #blocks: BlockSteps;
  readonly #content: Block[] = [];
  /** The arguments of the open tool call. */
  #json = '';

  constructor(
    private readonly head: ResponseHead,
    { excludesReasoning }: ResponseOptions,
  ) {
    super();
    this.#blocks = new BlockSteps(head.id, excludesReasoning);
  }

  add(deltas: readonly Delta[]): void {
    for (const delta of deltas) {
      this.track(delta);
      for (const step of this.#blocks.of(delta)) this.#apply(step);
    }
  }

  body(usage: object, serviceTier?: string): string {
    return JSON.stringify({
      ...emptyMessage(this.head),
      content: this.#content,
      stop_reason: stopReasonOf(this.finishReason ?? 'stop', this.nativeFinishReason),
      usage: { ...usage, service_tier: serviceTier },
    });
  }

  #apply(step: BlockStep): void {
    if (step.type === 'content_block_start') {
      this.#content.push({ ...step.content_block });
      this.#json = '';
      return;
    }
    const block = this.#content[step.index]!;
    if (step.type === 'content_block_stop') {
      if (block['type'] === 'tool_use') block['input'] = toolInputOf(this.#json);
      return;
    }
    const { delta } = step;
    switch (delta.type) {
      case 'text_delta':
        block['text'] = (block['text'] as string) + delta.text;
        break;
      case 'thinking_delta':
        block['thinking'] = (block['thinking'] as string) + delta.thinking;
        break;
      case 'signature_delta':
        block['signature'] = delta.signature;
        break;
      default:
        this.#json += delta.partial_json;
    }
  }
}

/**
 * The input of a tool call must be an object. Other arguments, such as incomplete JSON of a truncated call, are wrapped
 * in an object.
 */
export function toolInputOf(json: string): unknown {
  if (json.trim() === '') return {};
  try {
    const input = parseWithoutPrototypeMembers(json);
    return typeof input === 'object' && input !== null && !Array.isArray(input) ? input : { arguments: input };
  } catch {
    return { arguments: json };
  }
}
