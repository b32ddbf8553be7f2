import type { ImageRequest } from '../../inference/image-request.js';
import type { ImageResult, Preview } from '../../inference/image-inference.js';
import { resolveSize } from '../../inference/image-size.js';
import { parsePreferences } from '../../inference/provider-preferences.js';
import { decodeReferences } from '../../inference/reference-images.js';
import type { BodyPieces } from '../../http/body-pieces.js';
import { nanoToUsd } from '../../kernel/money.js';
import type { CompatibleImageRequest } from './dto/compatible-image.request.dto.js';
import type { ImageGenerationRequest } from './dto/image-generation.request.dto.js';
import type { ImageGenerationResponse } from './dto/image-generation.response.dto.js';

type Base64Text = ImageResult['answer']['images'][number]['b64'];

export function toImageRequest(request: ImageGenerationRequest): ImageRequest {
  return {
    model: request.model,
    prompt: request.prompt,
    n: request.n ?? 1,
    size: resolveSize({ size: request.size, resolution: request.resolution, aspectRatio: request.aspect_ratio }),
    background: request.background,
    format: request.output_format,
    compression: request.output_compression,
    quality: request.quality,
    seed: request.seed,
    references: decodeReferences((request.input_references ?? []).map((reference) => reference.image_url.url)),
    preferences: parsePreferences(request.provider),
  };
}

const QUALITY_WORDS = { standard: 'medium', hd: 'high' } as const;

/** The request of plain OpenAI clients in this API's words; null means not set. */
export function fromCompatibleRequest(request: CompatibleImageRequest): ImageGenerationRequest {
  const { quality, size } = request;
  return {
    model: request.model,
    prompt: request.prompt,
    n: request.n ?? undefined,
    size: size === 'auto' ? undefined : (size ?? undefined),
    quality: quality === 'standard' || quality === 'hd' ? QUALITY_WORDS[quality] : (quality ?? undefined),
    background: request.background ?? undefined,
    output_format: request.output_format ?? undefined,
    output_compression: request.output_compression ?? undefined,
  };
}

/** The image generation response as JSON, put around the pictures where they lie. */
export function toImageResponse(result: ImageResult, nowMs: number): BodyPieces {
  const entries = result.answer.images.flatMap(({ b64, mediaType }, index) => [
    `${index === 0 ? '' : ','}{"b64_json":"`,
    ...pieces(b64),
    mediaType ? `","media_type":${JSON.stringify(mediaType)}}` : '"}',
  ]);
  return [
    `{"created":${createdOf(result, nowMs)},"data":[`,
    ...entries,
    `],"usage":${JSON.stringify(toUsage(result))}}`,
  ];
}

/** The last event of a stream; of several images each has its own. */
export function toCompletedEvents(result: ImageResult, nowMs: number): BodyPieces[] {
  const rest = `"created":${createdOf(result, nowMs)},"usage":${JSON.stringify(toUsage(result))}}`;
  return result.answer.images.map(({ b64, mediaType }) => [
    '{"type":"image_generation.completed","b64_json":"',
    ...pieces(b64),
    mediaType ? `","media_type":${JSON.stringify(mediaType)},${rest}` : `",${rest}`,
  ]);
}

export function toPreviewEvent(preview: Preview): BodyPieces {
  if (preview.type === 'text_chunk')
    return [JSON.stringify({ type: 'image_generation.text_chunk', text: preview.text, phase: 'content' })];
  return [
    `{"type":"image_generation.partial_image","partial_image_index":${preview.index},"b64_json":"`,
    ...pieces(preview.b64),
    '"}',
  ];
}

/** Base64 needs no escapes between quotes. */
const pieces = (b64: Base64Text): BodyPieces => (typeof b64 === 'string' ? [b64] : b64);

const createdOf = (result: ImageResult, nowMs: number): number => result.answer.created ?? Math.floor(nowMs / 1000);

function toUsage({ answer, cost, upstreamCost, isByok }: ImageResult): ImageGenerationResponse['usage'] {
  const prompt = answer.usage?.promptTokens ?? 0;
  const completion = answer.usage?.completionTokens ?? 0;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: answer.usage?.totalTokens ?? prompt + completion,
    cost: nanoToUsd(cost),
    is_byok: isByok,
    ...(isByok ? { cost_details: { upstream_inference_cost: nanoToUsd(upstreamCost) } } : {}),
  };
}
