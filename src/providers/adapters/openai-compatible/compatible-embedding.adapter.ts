import { membersOf, textOf, type Members } from '../../../formats/members.js';
import { invalidRequest } from '../../../kernel/errors/errors.js';
import {
  EmbeddingAdapter,
  type EmbeddingCall,
  type EmbeddingInput,
  type EmbeddingResponse,
} from '../../ports/embedding-adapter.port.js';
import { audioFormatOf } from '../../../formats/media/audio-format.js';
import type { MediaPart, TextPart } from '../../../formats/conversation.js';
import { badResponse } from '../../../formats/bad-response.js';
import { checkedVectors, type Vector } from '../../wire/vectors.js';
import type { CompatibleEndpoint } from './compatible-endpoint.js';

/** The size of 2,048 vectors of 3,072 numbers as text. */
const MAX_RESPONSE_BYTES = 134_217_728;

/** Embeddings from any OpenAI-compatible vendor (`/embeddings`). */
export class CompatibleEmbeddingAdapter extends EmbeddingAdapter {
  readonly name = 'openai-compatible';

  constructor(private readonly endpoint: CompatibleEndpoint) {
    super(endpoint);
  }

  async embed(call: EmbeddingCall): Promise<EmbeddingResponse> {
    const vendor = this.endpoint.vendorOf(call);
    if (vendor.text?.fetched?.length === 0 && call.inputs.some(hasUrl))
      throw invalidRequest('The provider of this model takes no URLs: send a data URL.');
    const inputs = call.inputs.map(inputMember);
    const body = JSON.stringify({
      ...call.options,
      model: call.upstreamModel,
      input: call.isSingle ? inputs[0] : inputs,
      encoding_format: vendor.embedsBase64 ? 'base64' : 'float',
      dimensions: call.dimensions,
      input_type: call.inputType,
      user: vendor.text?.unsupported?.includes('user') ? undefined : call.endUser,
    });
    const request = { path: '/embeddings', body };
    const { id, usage, data } = await this.endpoint.sendForObject(call, vendor, request, MAX_RESPONSE_BYTES);
    return { vectors: vectorsOf(data, inputs.length), usage, upstreamId: textOf(id) };
  }
}

const hasUrl = (input: EmbeddingInput): boolean =>
  typeof input === 'object' &&
  input.some((part) => typeof part === 'object' && part.type !== 'text' && 'url' in part.source);

function inputMember(input: EmbeddingInput): unknown {
  if (typeof input === 'string' || typeof input[0] === 'number' || input[0] === undefined) return input;
  return { content: (input as readonly (TextPart | MediaPart)[]).map(partMember) };
}

function partMember(part: TextPart | MediaPart): Members {
  if (part.type === 'text') return { type: 'text', text: part.text };
  const { source } = part;
  if (part.type === 'image') {
    const url = 'url' in source ? source.url : `data:${source.mediaType};base64,${source.base64}`;
    return { type: 'image_url', image_url: { url, detail: part.detail } };
  }
  const type = `input_${part.type}`;
  const media =
    'url' in source ? { data: source.url } : { data: source.base64, format: audioFormatOf(source.mediaType) };
  return { type, [type]: media };
}

/**
 * The vectors in the order of the inputs. The `index` of an entry is the position of its input; without an `index`, the
 * entry's own position is used.
 */
function vectorsOf(data: unknown, count: number): Vector[] {
  if (!Array.isArray(data) || data.length !== count) throw badResponse(`does not hold ${count} embeddings`);
  const values: unknown[] = [];
  for (const [position, entry] of (data as unknown[]).entries()) {
    const { index = position, embedding } = membersOf(entry);
    const isPlace = Number.isSafeInteger(index) && (index as number) >= 0 && (index as number) < count;
    if (!isPlace || (index as number) in values) throw badResponse('numbers its embeddings wrongly');
    values[index as number] = embedding;
  }
  return checkedVectors(values, count);
}
