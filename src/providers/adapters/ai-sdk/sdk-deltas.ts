import type {
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider';
import { GatewayError } from '../../../kernel/errors/errors.js';
import type { Delta, FinishReason } from '../../../formats/conversation.js';
import { finishReasonOf } from '../../../formats/finish-reason.js';
import { badResponse } from '../../../formats/bad-response.js';
import { marksOf } from './sdk-signatures.js';
import type { SignatureNames } from './sdk-text-vendors.js';

type Part = LanguageModelV4StreamPart;

const REASONS: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  length: 'length',
  'content-filter': 'content_filter',
  'tool-calls': 'tool_calls',
};

interface Block {
  readonly index: number;
  /** A signature that arrived before the text that it signs. */
  early?: string;
  signature?: string;
  encrypted?: string;
}

interface Call {
  readonly index: number;
  sent: boolean;
  signature?: string;
}

/** Converts the parts of one response to deltas of the canonical form. */
export class SdkDeltas {
  readonly #blocks = new Map<string, Block>();
  readonly #calls = new Map<string, Call>();
  /** The ids of tool calls that the vendor executes itself. */
  readonly #ownCalls = new Set<string>();
  #details = 0;

  constructor(private readonly signatures: SignatureNames | undefined) {}

  /** Throws GatewayError if the response ends in a failure. */
  of(part: Part): Delta[] {
    switch (part.type) {
      case 'text-start':
      case 'text-delta':
      case 'text-end':
        return this.#text(part.id, 'delta' in part ? part.delta : '', part.providerMetadata);
      case 'reasoning-start':
        return this.#reasoningStart(part.id, part.providerMetadata);
      case 'reasoning-delta':
      case 'reasoning-end':
        return this.#reasoning(part.id, 'delta' in part ? part.delta : '', part.providerMetadata);
      case 'tool-input-start':
        if (part.providerExecuted) {
          this.#ownCalls.add(part.id);
          return [];
        }
        return [...this.#begin(part.id, part.toolName), ...this.#sign(part.id, part.providerMetadata)];
      case 'tool-input-delta':
        return this.#arguments(part.id, part.delta);
      case 'tool-call': {
        if (part.providerExecuted) return [];
        const { toolCallId: id, toolName, input } = part;
        const started = this.#begin(id, toolName);
        const rest = this.#calls.get(id)!.sent ? [] : this.#arguments(id, input === '' ? '{}' : input);
        return [...started, ...rest, ...this.#sign(id, part.providerMetadata)];
      }
      case 'source':
        return sourceOf(part);
      case 'file':
        return fileOf(part);
      case 'finish':
        return [this.#finish(part.finishReason, part.providerMetadata)];
      default:
        return [];
    }
  }

  /** The deltas of a response that was not streamed. */
  ofContent(content: readonly LanguageModelV4Content[]): Delta[] {
    return content.flatMap((part, index): Delta[] => {
      const id = String(index);
      if (part.type === 'text') return this.#text(id, part.text, part.providerMetadata);
      if (part.type === 'reasoning') return this.#reasoning(id, part.text, part.providerMetadata);
      return this.of(part);
    });
  }

  #text(id: string, text: string, metadata: SharedV4ProviderMetadata | undefined): Delta[] {
    const deltas: Delta[] = text === '' ? [] : [{ type: 'text', text }];
    if (!this.signatures?.signsParts) return deltas;
    const { signature } = marksOf(metadata, this.signatures);
    const block = this.#blocks.get(`text ${id}`);
    if (signature === undefined || signature === block?.signature) return deltas;
    const index = block?.index ?? this.#details++;
    this.#blocks.set(`text ${id}`, { index, signature });
    return [...deltas, this.#mark(signature, index)];
  }

  #reasoningStart(id: string, metadata: SharedV4ProviderMetadata | undefined): Delta[] {
    const { signature: early, encrypted } = marksOf(metadata, this.signatures);
    const block = { index: this.#details++, early, encrypted };
    this.#blocks.set(id, block);
    return encrypted === undefined ? [] : [this.#mark(encrypted, block.index)];
  }

  #reasoning(id: string, text: string, metadata: SharedV4ProviderMetadata | undefined): Delta[] {
    const format = this.signatures?.format ?? 'unknown';
    const block: Block = this.#blocks.get(id) ?? { index: this.#details++ };
    this.#blocks.set(id, block);
    const { index } = block;
    const marks = marksOf(metadata, this.signatures);
    // Packages repeat the marks of a part at its start, within it and at its end.
    const given = marks.signature ?? block.early;
    const signature = given === block.signature ? undefined : given;
    const encrypted = marks.encrypted === block.encrypted ? undefined : marks.encrypted;
    if (signature !== undefined) block.signature = signature;
    if (encrypted !== undefined) block.encrypted = encrypted;
    const deltas: Delta[] = [];
    if (text !== '' || signature !== undefined) {
      const detail = {
        type: 'reasoning.text' as const,
        ...(text === '' ? {} : { text }),
        ...(signature === undefined ? {} : { signature }),
        format,
        index,
      };
      deltas.push({ type: 'reasoning', ...(text === '' ? {} : { text }), detail });
    }
    if (encrypted !== undefined) deltas.push(this.#mark(encrypted, index));
    return deltas;
  }

  #mark(data: string, index: number, id?: string): Delta {
    const format = this.signatures!.format;
    return {
      type: 'reasoning',
      detail: { type: 'reasoning.encrypted', data, ...(id === undefined ? {} : { id }), format, index },
    };
  }

  #begin(id: string, name: string): Delta[] {
    if (this.#calls.has(id)) return [];
    const index = this.#calls.size;
    this.#calls.set(id, { index, sent: false });
    return [{ type: 'tool_call', index, id, name, arguments: '' }];
  }

  #arguments(id: string, json: string): Delta[] {
    const call = this.#calls.get(id);
    if (json === '' || this.#ownCalls.has(id) || !call) return [];
    call.sent = true;
    return [{ type: 'tool_call', index: call.index, arguments: json }];
  }

  #sign(id: string, metadata: SharedV4ProviderMetadata | undefined): Delta[] {
    const { signature } = this.signatures?.signsParts ? marksOf(metadata, this.signatures) : {};
    const call = this.#calls.get(id)!;
    if (signature === undefined || call.signature === signature) return [];
    call.signature = signature;
    return [this.#mark(signature, this.#details++, id)];
  }

  #finish({ unified, raw }: LanguageModelV4FinishReason, metadata: SharedV4ProviderMetadata | undefined): Delta {
    const blocked = blockReasonOf(metadata);
    if (raw === undefined && blocked !== undefined)
      return { type: 'finish', reason: 'content_filter', native: blocked };
    const known = REASONS[unified] ?? (raw === undefined ? 'error' : finishReasonOf(raw, false));
    if (known === 'error')
      throw raw === undefined
        ? badResponse('ended without a finish reason')
        : new GatewayError('provider_failed', `The provider ended its response with "${raw.slice(0, 60)}"`);
    const reason = known === 'stop' && this.#calls.size > 0 ? 'tool_calls' : known;
    return { type: 'finish', reason, native: raw ?? null };
  }
}

function sourceOf(part: Extract<Part, { type: 'source' }>): Delta[] {
  if (part.sourceType !== 'url') return [];
  const citation = { url: part.url, title: part.title ?? part.url, start_index: 0, end_index: 0 };
  return [{ type: 'annotation', annotation: { type: 'url_citation', url_citation: citation } }];
}

function fileOf({ mediaType, data }: Extract<Part, { type: 'file' }>): Delta[] {
  if (!mediaType.startsWith('image/')) return [];
  if (data.type === 'url') return [{ type: 'image', dataUrl: data.url.toString() }];
  const base64 = typeof data.data === 'string' ? data.data : Buffer.from(data.data).toString('base64');
  return [{ type: 'image', dataUrl: `data:${mediaType};base64,${base64}` }];
}

/** The reason why the vendor blocked the prompt; undefined if there is none. */
function blockReasonOf(metadata: SharedV4ProviderMetadata | undefined): string | undefined {
  for (const own of Object.values(metadata ?? {})) {
    const { blockReason } = (own.promptFeedback ?? {}) as { blockReason?: unknown };
    if (typeof blockReason === 'string') return blockReason;
  }
  return undefined;
}
