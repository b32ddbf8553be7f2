import type { ImageRequest } from '../../inference/image-request.js';
import type { ImageResult, Preview } from '../../inference/image-inference.js';
import { resolveSize } from '../../inference/image-size.js';
import { parsePreferences } from '../../inference/provider-preferences.js';
import { decodeReferences } from '../../inference/reference-images.js';
import { nanoToUsd } from '../../kernel/money.js';
import type { ImageGenerationRequest } from './dto/image-generation.request.dto.js';
import type { ImageGenerationResponse } from './dto/image-generation.response.dto.js';

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

export function toImageResponse(result: ImageResult, createdMs: number): ImageGenerationResponse {
  return {
    created: Math.floor(createdMs / 1000),
    data: result.answer.images.map((image) => ({ b64_json: image.b64, ...(image.mediaType ? { media_type: image.mediaType } : {}) })),
    usage: toUsage(result),
  };
}

/** The last event of a stream; of several images each has its own. */
export function toCompletedEvents(result: ImageResult, createdMs: number): object[] {
  const { created, data, usage } = toImageResponse(result, createdMs);
  return data.map((image) => ({ type: 'image_generation.completed', b64_json: image.b64_json, media_type: image.media_type, created, usage }));
}

export function toPreviewEvent(preview: Preview): object {
  return preview.type === 'partial'
    ? { type: 'image_generation.partial_image', partial_image_index: preview.index, b64_json: preview.b64 }
    : { type: 'image_generation.text_chunk', text: preview.text, phase: 'content' };
}

function toUsage({ answer, cost, isByok }: ImageResult): ImageGenerationResponse['usage'] {
  const prompt = answer.usage?.promptTokens ?? 0;
  const completion = answer.usage?.completionTokens ?? 0;
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: answer.usage?.totalTokens ?? prompt + completion, cost: nanoToUsd(cost), is_byok: isByok };
}
