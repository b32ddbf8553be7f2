import type { Delta } from '../conversation.js';
import type { ResponseHead, ResponseOptions, StreamWriter } from '../client-format.js';
import { WrittenProgress } from '../written-progress.js';
import { chunkHead, closing, failing } from './events.js';

const UNFINISHED = ',"finish_reason":null,"native_finish_reason":null}';

/**
 * Writes steps of a response as the events of a stream of `/chat/completions`: for each choice a role chunk, its
 * deltas, and a chunk with the finish reason.
 */
export class ChatStreamWriter extends WrittenProgress implements StreamWriter {
  readonly #start: string;
  readonly #started = new Set<number>();

  constructor(
    private readonly head: ResponseHead,
    private readonly options: Partial<ResponseOptions> = {},
  ) {
    super();
    this.#start = `data: ${JSON.stringify(chunkHead(head)).slice(0, -1)},"choices":[`;
  }

  /** The events of a batch of steps; an empty string if there are none. */
  write(deltas: readonly Delta[]): string {
    let events = '';
    for (const delta of deltas) {
      this.track(delta);
      const choice = delta.choice ?? 0;
      const written = this.#choice(delta, choice);
      if (written === undefined) continue;
      if (!this.#started.has(choice)) {
        this.#started.add(choice);
        events += this.#chunk(`{"index":${choice},"delta":{"role":"assistant","content":""}${UNFINISHED}`);
      }
      events += this.#chunk(written);
    }
    return events;
  }

  closing(usage: object, serviceTier: string | undefined): Uint8Array {
    return closing(this.head, usage, serviceTier);
  }

  failing(error: unknown): Uint8Array {
    return failing(this.head, error);
  }

  #chunk(choice: string): string {
    return `${this.#start}${choice}]}\n\n`;
  }

  /** The entry of `choices`; undefined if there is nothing to write. */
  #choice(delta: Delta, index: number): string | undefined {
    if (delta.type === 'text')
      return `{"index":${index},"delta":{"content":${JSON.stringify(delta.text)}}${UNFINISHED}`;
    if (delta.type === 'finish')
      return JSON.stringify({
        index,
        delta: {},
        finish_reason: delta.reason,
        native_finish_reason: delta.native,
      });
    if (delta.type === 'reasoning' && this.options.excludesReasoning) return undefined;
    return `{"index":${index},"delta":${JSON.stringify(deltaOf(delta))}${UNFINISHED}`;
  }
}

function deltaOf(delta: Exclude<Delta, { type: 'text' | 'finish' }>): object {
  switch (delta.type) {
    case 'refusal':
      return { refusal: delta.text };
    case 'reasoning':
      return { reasoning: delta.text, reasoning_details: delta.detail && [delta.detail] };
    case 'tool_call': {
      const { index, id, name } = delta;
      return {
        tool_calls: [
          {
            index,
            id,
            type: id === undefined ? undefined : 'function',
            function: { name, arguments: delta.arguments },
          },
        ],
      };
    }
    case 'image':
      return { images: [{ type: 'image_url', image_url: { url: delta.dataUrl } }] };
    default:
      return { annotations: [delta.annotation] };
  }
}
