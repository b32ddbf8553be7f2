import type { BodyPieces } from '../../http/body/body-pieces.js';
import type { BilledResponse } from '../../inference/call.js';
import type { EmbeddingResult } from '../../inference/capabilities/embeddings.js';
import { nanoToUsd } from '../../kernel/money.js';
import { inSlices } from '../../kernel/scheduling/slices.js';
import type { EmbeddingsUsage } from './dto/embeddings.response.dto.js';

type Encoding = 'float' | 'base64';
type Vector = EmbeddingResult['vectors'][number];

const FLOAT_BYTES = 4;

/**
 * The response as JSON, in pieces. Serialising many numbers takes long, so this function yields to the event loop
 * between vectors.
 */
export async function toEmbeddingsResponse(
  result: BilledResponse<EmbeddingResult>,
  encoding: Encoding,
): Promise<BodyPieces> {
  const { model, provider, vectors } = result.content;
  const head = JSON.stringify({ id: result.generationId, object: 'list', model, provider });
  const entries =
    vectors.length === 1 ? [toEntry(vectors[0]!, 0, encoding)] : await inSlices(toEntries(vectors, encoding));
  return [`${head.slice(0, -1)},"data":[`, ...entries, `],"usage":${JSON.stringify(toUsage(result))}}`];
}

function* toEntries(vectors: readonly Vector[], encoding: Encoding): Generator<void, string[], void> {
  const entries: string[] = [];
  for (const [index, vector] of vectors.entries()) {
    entries.push(toEntry(vector, index, encoding));
    yield;
  }
  return entries;
}

const toEntry = (vector: Vector, index: number, encoding: Encoding): string =>
  `${index === 0 ? '' : ','}{"object":"embedding","index":${index},"embedding":${printed(vector, encoding)}}`;

/**
 * Converts a vector, which vendors send in either encoding, to JSON in the requested encoding. Base64 text is written
 * without escaping, because it contains no characters that JSON escapes.
 */
function printed(vector: Vector, encoding: Encoding): string {
  if (encoding === 'base64') return `"${typeof vector === 'string' ? vector : toBase64(vector)}"`;
  return JSON.stringify(typeof vector === 'string' ? toNumbers(vector) : vector);
}

function toBase64(numbers: readonly number[]): string {
  const bytes = Buffer.allocUnsafe(numbers.length * FLOAT_BYTES);
  for (const [index, number] of numbers.entries()) bytes.writeFloatLE(number, index * FLOAT_BYTES);
  return bytes.toString('base64');
}

function toNumbers(base64: string): number[] {
  const bytes = Buffer.from(base64, 'base64');
  return Array.from({ length: bytes.length / FLOAT_BYTES }, (_, index) => bytes.readFloatLE(index * FLOAT_BYTES));
}

function toUsage({ tokens, cost, upstreamCost, isByok }: BilledResponse<EmbeddingResult>): EmbeddingsUsage {
  const upstream = nanoToUsd(upstreamCost);
  return {
    prompt_tokens: tokens.prompt,
    total_tokens: tokens.prompt,
    cost: nanoToUsd(cost),
    is_byok: isByok,
    cost_details: {
      upstream_inference_cost: isByok ? upstream : null,
      upstream_inference_prompt_cost: upstream,
      upstream_inference_completions_cost: 0,
    },
  };
}
