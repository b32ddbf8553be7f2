import type { FinishReason } from '../conversation.js';
import { finishReasonOf } from '../finish-reason.js';
import { isObject, membersOf, textOf, wholeNumber, type Members } from '../members.js';
import { normalisedMessage, normalisedRest, toolFunctionOf } from './normalised-message.js';

/** The tool calls of a choice that have started. */
interface ToolCalls {
  readonly started: Set<number>;
  readonly indexOfId: Map<string, number>;
  last: number;
}

interface OpenChoice {
  hasRole: boolean;
  readonly toolCalls: ToolCalls;
  /**
   * The vendor's finish reason, kept until all deltas are relayed. Absent until the choice has ended; null if it ended
   * without a reason.
   */
  native?: string | null;
}

/** One choice of a chunk, in its relayed form. */
export interface NormalisedChoice {
  readonly index: number;
  /** Empty if there is nothing to relay. */
  readonly delta: Members;
  /** Further members of the choice, such as `logprobs`. */
  readonly rest: Members;
}

interface FinishedChoice {
  readonly index: number;
  readonly reason: FinishReason;
  /** Null if the vendor sent no finish reason. */
  readonly native: string | null;
  readonly hasRole: boolean;
}

/** The state of a stream's choices: whether the role was sent, which tool calls have started, and the finish reason. */
export class ChunkChoices {
  readonly #choices = new Map<number, OpenChoice>();

  /** `idPrefix`: a part of the ids that tool calls get if the vendor sends no ids. */
  constructor(private readonly idPrefix: string) {}

  get count(): number {
    return this.#choices.size;
  }

  get areFinished(): boolean {
    for (const choice of this.#choices.values()) if (choice.native === undefined) return false;
    return this.#choices.size > 0;
  }

  /** Sorted by index. */
  finished(): FinishedChoice[] {
    return [...this.#choices]
      .filter(([, { native }]) => native !== undefined)
      .sort(([a], [b]) => a - b)
      .map(([index, { native, toolCalls, hasRole }]) => ({
        index,
        reason: finishReasonOf(native ?? 'stop', toolCalls.started.size > 0),
        native: native ?? null,
        hasRole,
      }));
  }

  /** `isWhole`: no chunk follows, so the choice has ended even without a finish reason. */
  normalise(choice: Members, position: number, isWhole = false): NormalisedChoice {
    const {
      index: sent,
      delta,
      finish_reason: native,
      native_finish_reason: _native,
      message: _message,
      usage: _usage,
      ...rest
    } = choice;
    const index = wholeNumber(sent) ?? position;
    let state = this.#choices.get(index);
    if (!state)
      this.#choices.set(
        index,
        (state = { hasRole: false, toolCalls: { started: new Set(), indexOfId: new Map(), last: 0 } }),
      );
    if (typeof native === 'string' && native !== '') state.native = native;
    else if (isWhole) state.native ??= null;
    return { index, delta: this.#delta(membersOf(delta), state, index), rest: normalisedRest(rest) };
  }

  #delta(delta: Members, state: OpenChoice, index: number): Members {
    const normalised = normalisedMessage(delta);
    const calls = delta['tool_calls'];
    if (Array.isArray(calls) && calls.length > 0)
      normalised['tool_calls'] = calls.filter(isObject).map((call) => this.#toolCall(call, state, index));
    const isFirst = !state.hasRole && (Object.keys(normalised).length > 0 || textOf(delta['role']) !== undefined);
    if (!isFirst) return normalised;
    state.hasRole = true;
    return { role: 'assistant', content: '', ...normalised };
  }

  /** The first piece of a call has its id and type; later pieces have neither. */
  #toolCall(call: Members, { toolCalls: { started, indexOfId }, toolCalls }: OpenChoice, choice: number): Members {
    const { index: sent, id: sentId, type: _type, function: sentFunction, ...rest } = call;
    const id = textOf(sentId) || undefined;
    const given = wholeNumber(typeof sent === 'string' && sent !== '' ? Number(sent) : sent);
    const known = id === undefined && started.size > 0 ? toolCalls.last : indexOfId.get(id ?? '');
    const index = given ?? known ?? started.size;
    const isFirst = !started.has(index);
    started.add(index);
    if (id !== undefined) indexOfId.set(id, index);
    toolCalls.last = index;
    const called = toolFunctionOf(sentFunction);
    if (!isFirst) return { index, ...rest, function: called };
    return {
      index,
      id: id ?? `call_${this.idPrefix}_${choice}_${index}`,
      type: 'function',
      ...rest,
      function: { arguments: '', ...called },
    };
  }
}
