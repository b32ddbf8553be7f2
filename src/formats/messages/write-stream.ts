import type { Delta } from '../conversation.js';
import type { ResponseHead, ResponseOptions, StreamWriter } from '../client-format.js';
import { WrittenProgress } from '../written-progress.js';
import { BlockSteps } from './block-steps.js';
import { emptyMessage, errorEvent, MESSAGE_STOP, stepEvent, stopReasonOf } from './events.js';

/** Writes steps of a response as the events of a stream of `/messages`. */
export class MessagesStreamWriter extends WrittenProgress implements StreamWriter {
  readonly #blocks: BlockSteps;
  #hasBegun = false;

  constructor(
    private readonly head: ResponseHead,
    { excludesReasoning }: ResponseOptions,
  ) {
    super();
    this.#blocks = new BlockSteps(head.id, excludesReasoning);
  }

  write(deltas: readonly Delta[]): string {
    let events = this.#begin();
    for (const delta of deltas) {
      this.track(delta);
      for (const step of this.#blocks.of(delta)) events += stepEvent(step);
    }
    return events;
  }

  closing(usage: object, serviceTier: string | undefined): Uint8Array {
    const delta = {
      type: 'message_delta',
      delta: { stop_reason: stopReasonOf(this.finishReason ?? 'stop', this.nativeFinishReason), stop_sequence: null },
      usage: { ...usage, service_tier: serviceTier },
    };
    return Buffer.from(stepEvent(delta) + MESSAGE_STOP);
  }

  failing(error: unknown): Uint8Array {
    return errorEvent(this.head.id, error);
  }

  #begin(): string {
    if (this.#hasBegun) return '';
    this.#hasBegun = true;
    return stepEvent({ type: 'message_start', message: emptyMessage(this.head) });
  }
}
