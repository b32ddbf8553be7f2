import { badResponse } from '../bad-response.js';
import type { Delta, ReasoningDetail } from '../conversation.js';
import { dataOf, signatureOf } from './carried-reasoning.js';

/** An event about one block of content. Blocks do not overlap. */
export type BlockStep =
  | { readonly type: 'content_block_start'; readonly index: number; readonly content_block: StartedBlock }
  | { readonly type: 'content_block_delta'; readonly index: number; readonly delta: BlockDelta }
  | { readonly type: 'content_block_stop'; readonly index: number };

type StartedBlock =
  | { readonly type: 'text'; readonly text: '' }
  | { readonly type: 'thinking'; readonly thinking: ''; readonly signature: '' }
  | { readonly type: 'redacted_thinking'; readonly data: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: object };

type BlockDelta =
  | { readonly type: 'text_delta'; readonly text: string }
  | { readonly type: 'thinking_delta'; readonly thinking: string }
  | { readonly type: 'signature_delta'; readonly signature: string }
  | { readonly type: 'input_json_delta'; readonly partial_json: string };

type CallDelta = Extract<Delta, { type: 'tool_call' }>;

/** The block that is open. */
type OpenBlock =
  | { readonly type: 'text' }
  /** `detail`: the origin of the reasoning, and its signature once it is known. */
  | { readonly type: 'thinking'; detail: Omit<ReasoningDetail, 'text'> }
  | { readonly type: 'tool_use'; readonly call: number };

interface HeldCall {
  id: string | undefined;
  name: string;
  json: string;
}

const PLAIN_REASONING: ReasoningDetail = { type: 'reasoning.text', format: 'unknown' };

/**
 * Converts steps of a response to blocks of content. Only one block is open at a time. Pieces of other tool calls, and
 * unreadable reasoning, are delayed until the open call has ended.
 */
export class BlockSteps {
  #index = -1;
  #open: OpenBlock | undefined;
  readonly #heldCalls = new Map<number, HeldCall>();
  #heldMarks: ReasoningDetail[] = [];
  readonly #ended = new Set<number>();

  /** `idPrefix`: a part of the ids that tool calls get if the vendor sends no ids. */
  constructor(
    private readonly idPrefix: string,
    private readonly excludesReasoning: boolean,
  ) {}

  /** Throws provider_failed if a tool call continues after its end. */
  of(delta: Delta): BlockStep[] {
    switch (delta.type) {
      case 'text':
      case 'refusal':
        return delta.text === '' ? [] : this.#text(delta.text);
      case 'reasoning':
        return this.excludesReasoning ? [] : this.#reasoning(delta.detail ?? PLAIN_REASONING, delta.text ?? '');
      case 'tool_call':
        return this.#call(delta);
      case 'finish':
        return this.#close();
      default:
        return [];
    }
  }

  #text(text: string): BlockStep[] {
    const steps = this.#open?.type === 'text' ? [] : [...this.#close(), this.#start({ type: 'text', text: '' })];
    this.#open = { type: 'text' };
    return [...steps, this.#delta({ type: 'text_delta', text })];
  }

  #reasoning(detail: ReasoningDetail, plain: string): BlockStep[] {
    if (detail.type === 'reasoning.encrypted') {
      if (this.#open?.type === 'tool_use') {
        this.#heldMarks.push(detail);
        return [];
      }
      return [...this.#close(), ...this.#whole({ type: 'redacted_thinking', data: dataOf(detail) })];
    }
    const steps: BlockStep[] = [];
    if (this.#open?.type !== 'thinking' || !isSame(this.#open.detail, detail)) {
      steps.push(...this.#close(), this.#start({ type: 'thinking', thinking: '', signature: '' }));
      this.#open = { type: 'thinking', detail };
    } else {
      const { signature = detail.signature, id = detail.id, ...known } = this.#open.detail;
      this.#open.detail = { ...known, signature, id };
    }
    const thinking = detail.text ?? detail.summary ?? plain;
    return thinking === '' ? steps : [...steps, this.#delta({ type: 'thinking_delta', thinking })];
  }

  #call({ index, id, name, arguments: json }: CallDelta): BlockStep[] {
    if (this.#ended.has(index)) throw badResponse('continued a tool call that had ended');
    if (this.#open?.type === 'tool_use') {
      if (this.#open.call === index) return this.#arguments(json);
      const held = this.#heldCalls.get(index);
      if (held) held.json += json;
      else this.#heldCalls.set(index, { id, name: name ?? '', json });
      return [];
    }
    const steps = [...this.#close(), this.#start(this.#toolUse(index, id, name))];
    this.#open = { type: 'tool_use', call: index };
    return [...steps, ...this.#arguments(json)];
  }

  /** Ends the open block, and writes the delayed data. */
  #close(): BlockStep[] {
    const open = this.#open;
    this.#open = undefined;
    if (!open) return [];
    const stop: BlockStep = { type: 'content_block_stop', index: this.#index };
    if (open.type === 'thinking') {
      const signature = signatureOf(open.detail);
      return signature === '' ? [stop] : [this.#delta({ type: 'signature_delta', signature }), stop];
    }
    if (open.type === 'text') return [stop];
    this.#ended.add(open.call);
    const calls = [...this.#heldCalls].flatMap(([index, { id, name, json }]) => {
      this.#ended.add(index);
      return this.#whole(this.#toolUse(index, id, name), jsonDeltas(json));
    });
    const marks = this.#heldMarks.flatMap((detail) => this.#whole({ type: 'redacted_thinking', data: dataOf(detail) }));
    this.#heldCalls.clear();
    this.#heldMarks = [];
    return [stop, ...calls, ...marks];
  }

  #toolUse(call: number, id: string | undefined, name = ''): StartedBlock {
    return { type: 'tool_use', id: id || `toolu_${this.idPrefix}_${call}`, name, input: {} };
  }

  #arguments(json: string): BlockStep[] {
    return jsonDeltas(json).map((delta) => this.#delta(delta));
  }

  #start(block: StartedBlock): BlockStep {
    this.#index++;
    return { type: 'content_block_start', index: this.#index, content_block: block };
  }

  #delta(delta: BlockDelta): BlockStep {
    return { type: 'content_block_delta', index: this.#index, delta };
  }

  #whole(block: StartedBlock, deltas: readonly BlockDelta[] = []): BlockStep[] {
    const start = this.#start(block);
    const stop: BlockStep = { type: 'content_block_stop', index: this.#index };
    return [start, ...deltas.map((delta) => this.#delta(delta)), stop];
  }
}

const jsonDeltas = (json: string): BlockDelta[] =>
  json === '' ? [] : [{ type: 'input_json_delta', partial_json: json }];

/** Whether a piece continues the reasoning of a block. A block ends with its signature. */
const isSame = (open: Omit<ReasoningDetail, 'text'>, next: ReasoningDetail): boolean =>
  open.signature === undefined &&
  open.type === next.type &&
  open.format === next.format &&
  open.index === next.index &&
  (open.id === undefined || next.id === undefined || open.id === next.id);
