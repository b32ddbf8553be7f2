import { toEnvelope } from '../../http/errors/error-envelope.js';
import type { GatewayError } from '../../kernel/errors/errors.js';
import { newId } from '../../kernel/ids.js';
import type { Question, TurnUsage } from '../../runtimes/turn.js';

/**
 * The name of the only tool in an intern's chat. Both dialects use it, because published clients accept no other name.
 */
const QUESTION_TOOL = 'openrouter.provide_input';

/** The `model` of chunks until the intern's own model is known. This is the name in the neutral dialect. */
export const UNKNOWN_MODEL = 'gatehouse/intern';

type FinishReason = 'stop' | 'tool_calls' | 'error';

export const CHAT_DONE = 'data: [DONE]\n\n';

/** The chunks of one response, as server-sent events. */
export class ChatChunks {
  readonly #id = `chatcmpl-${newId()}`;
  readonly #created = Math.floor(Date.now() / 1000);

  constructor(
    /** The model of the intern, or UNKNOWN_MODEL. */
    public model: string,
    private readonly sessionId: string | null,
  ) {}

  role(): string {
    return this.#choice({ role: 'assistant' });
  }

  content(text: string): string {
    return this.#choice({ content: text });
  }

  reasoning(text: string): string {
    return this.#choice({ reasoning: text });
  }

  question(id: string, question: Question): string {
    const call = { name: QUESTION_TOOL, arguments: JSON.stringify(question) };
    return this.#choice({ tool_calls: [{ index: 0, id, type: 'function', function: call }] });
  }

  /** The end of a response: the last choice, the chunk with the usage, and `[DONE]`. */
  end(finishReason: FinishReason, usage: TurnUsage | null, error?: GatewayError): string {
    const failure = error && { error: toEnvelope(error).body.error };
    return (
      this.#choice({}, finishReason, failure) +
      this.#event({ choices: [], session_id: this.sessionId, usage: usage && toUsage(usage) }) +
      CHAT_DONE
    );
  }

  #choice(delta: object, finishReason: FinishReason | null = null, more: object = {}): string {
    return this.#event({ choices: [{ index: 0, delta, finish_reason: finishReason }], ...more });
  }

  #event(members: object): string {
    const head = { id: this.#id, object: 'chat.completion.chunk', created: this.#created, model: this.model };
    return `data: ${JSON.stringify({ ...head, ...members })}\n\n`;
  }
}

const toUsage = ({ promptTokens, cachedTokens, completionTokens, costUsd }: TurnUsage): object => ({
  prompt_tokens: promptTokens,
  completion_tokens: completionTokens,
  total_tokens: promptTokens + completionTokens,
  prompt_tokens_details: { cached_tokens: cachedTokens },
  cost: costUsd,
});
