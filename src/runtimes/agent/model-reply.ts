import { randomBytes } from 'node:crypto';
import type { TurnUsage } from '../turn.ts';
import { ReasoningPieces, type Reasoning } from './reasoning.ts';
import type { ToolCall } from './transcript-record.ts';

const MAX_CALLS = 32;
const MAX_TEXT_CHARACTERS = 2_000_000;
const MAX_ARGUMENT_CHARACTERS = 2_000_000;

/** The members of a chunk that the agent reads. Members may have any type, because a vendor may send a wrong one. */
interface Chunk {
  readonly model?: unknown;
  readonly error?: { readonly code?: unknown; readonly message?: unknown } | null;
  readonly choices?: readonly {
    readonly delta?: {
      readonly content?: unknown;
      readonly reasoning?: unknown;
      readonly reasoning_details?: unknown;
      readonly tool_calls?: readonly CallPiece[] | null;
    } | null;
    readonly finish_reason?: unknown;
  }[];
  readonly usage?: {
    readonly prompt_tokens?: unknown;
    readonly completion_tokens?: unknown;
    readonly prompt_tokens_details?: { readonly cached_tokens?: unknown } | null;
    readonly cost?: unknown;
  } | null;
}

interface CallPiece {
  readonly index?: unknown;
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown } | null;
}

export const NO_TURN_USAGE: TurnUsage = { promptTokens: 0, cachedTokens: 0, completionTokens: 0, costUsd: 0 };

export const sumOf = (a: TurnUsage, b: TurnUsage): TurnUsage => ({
  promptTokens: a.promptTokens + b.promptTokens,
  cachedTokens: a.cachedTokens + b.cachedTokens,
  completionTokens: a.completionTokens + b.completionTokens,
  // Rounded to nano-dollars, so that sums of costs have no binary fractions.
  costUsd: Math.round((a.costUsd + b.costUsd) * 1e9) / 1e9,
});

export type OnText = (type: 'text' | 'reasoning', text: string) => void;

/** One response of the model, collected from the chunks of its stream. */
export class ModelReply {
  text = '';
  model: string | undefined;
  usage = NO_TURN_USAGE;
  isFinished = false;
  /** Whether any text or reasoning was passed to `onText`. */
  isStarted = false;
  readonly #calls = new Map<unknown, { id: string; name: string; arguments: string }>();
  readonly #reasoning = new ReasoningPieces();
  readonly #onText: OnText;

  constructor(onText: OnText) {
    this.#onText = onText;
  }

  get calls(): ToolCall[] {
    return [...this.#calls.values()];
  }

  get reasoning(): Reasoning {
    return this.#reasoning.whole;
  }

  /**
   * Returns the error of the chunk if it reports one. Throws if the data is not JSON, or if the response exceeds its
   * limits.
   */
  add(data: string): { code: number; message: string } | undefined {
    const chunk = JSON.parse(data) as Chunk | null;
    if (chunk?.error) return { code: count(chunk.error.code), message: text(chunk.error.message) };
    if (typeof chunk?.model === 'string') this.model = chunk.model;
    const choice = chunk?.choices?.[0];
    this.#addText('reasoning', text(choice?.delta?.reasoning));
    this.#reasoning.addDetails(choice?.delta?.reasoning_details);
    this.#addText('text', text(choice?.delta?.content));
    for (const piece of choice?.delta?.tool_calls ?? []) this.#addCall(piece);
    if (typeof choice?.finish_reason === 'string') this.isFinished = true;
    if (chunk?.usage)
      this.usage = {
        promptTokens: count(chunk.usage.prompt_tokens),
        cachedTokens: count(chunk.usage.prompt_tokens_details?.cached_tokens),
        completionTokens: count(chunk.usage.completion_tokens),
        costUsd: count(chunk.usage.cost),
      };
    return undefined;
  }

  #addText(type: 'text' | 'reasoning', piece: string): void {
    if (piece === '') return;
    this.isStarted = true;
    if (type === 'text') this.text += piece;
    else this.#reasoning.addText(piece);
    if (this.text.length > MAX_TEXT_CHARACTERS) throw new Error('the response of the model is too long');
    this.#onText(type, piece);
  }

  #addCall(piece: CallPiece): void {
    const key = piece.index ?? 0;
    let call = this.#calls.get(key);
    if (!call) {
      if (this.#calls.size === MAX_CALLS) throw new Error('the model called too many tools at once');
      // Vendors may use the same ids again in the next step, but ids in a transcript must be unique.
      call = { id: `call_${randomBytes(8).toString('hex')}`, name: '', arguments: '' };
      this.#calls.set(key, call);
    }
    call.name = (call.name + text(piece.function?.name)).slice(0, 128);
    call.arguments += text(piece.function?.arguments);
    if (call.arguments.length > MAX_ARGUMENT_CHARACTERS) throw new Error('the arguments of a tool are too long');
  }
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const count = (value: unknown): number => (typeof value === 'number' && value >= 0 && value < 1e15 ? value : 0);
