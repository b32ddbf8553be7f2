import type { LinkedImage } from '../../files/image-links.js';
import type { ImageResult, PreviewSink } from '../../inference/capabilities/image.js';
import type { ImageRequest } from '../../inference/capabilities/image-request.js';
import { resolveSize } from '../../inference/images/image-size.js';
import { decodeReferences, referenceOf, type RequestedReference } from '../../inference/images/reference-images.js';
import { parsePreferences } from '../../inference/provider-preferences.js';
import type { BodyPieces } from '../../http/body/body-pieces.js';
import { nanoToUsd, type Nano } from '../../kernel/money.js';
import type { FormFields, FormFile } from '../../http/body/held-form.js';
import { invalidRequest } from '../../kernel/errors/errors.js';
import type { CompatibleImageRequest } from './dto/compatible-image.request.dto.js';
import type { ImageGenerationRequest } from './dto/image-generation.request.dto.js';
import type { CostDetailsResponse, ImageGenerationResponse } from './dto/image-generation.response.dto.js';

type ImagePreview = Parameters<PreviewSink['show']>[0];
type Base64Text = ImageResult['content']['images'][number]['b64'];

/** The reference images of a request. Large images are decoded in time slices. */
export const referencesOf = (request: ImageGenerationRequest): RequestedReference[] | Promise<RequestedReference[]> =>
  decodeReferences((request.input_references ?? []).map((reference) => reference.image_url.url));

const MAX_FORM_IMAGES = 16;
const INTEGERS = new Set(['n', 'output_compression']);
const FLAGS = new Map([
  ['true', true],
  ['false', false],
]);

/** Converts the text parts of a form to the members of the same request in JSON, for validation. */
export const fromImageEditForm = (fields: FormFields): object =>
  Object.fromEntries([...fields].map(([name, values]) => [name, formMemberOf(name, values.at(-1)!)]));

/** Clients cannot send null in a form, so they send the text "null" or an empty text. */
function formMemberOf(name: string, text: string): unknown {
  if (name === 'model' || name === 'prompt') return text;
  if (text === '' || text === 'null') return null;
  if (INTEGERS.has(name)) return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
  return name === 'stream' ? (FLAGS.get(text) ?? text) : text;
}

/** The reference images of a form. Throws invalid_request for a mask, because no adapter accepts one. */
export function referencesOfForm(files: readonly FormFile[]): RequestedReference[] {
  if (files.some(({ field }) => field === 'mask'))
    throw invalidRequest('mask is not supported: no provider here accepts a mask. Describe the area in the prompt');
  const images = files.filter(({ field }) => field === 'image' || field === 'image[]');
  if (images.length === 0) throw invalidRequest('image is required, as a file of a multipart/form-data body');
  if (images.length > MAX_FORM_IMAGES) throw invalidRequest(`image must be at most ${MAX_FORM_IMAGES} files`);
  return images.map(({ bytes }, index) => referenceOf(bytes, `image[${index}]`));
}

export function toImageRequest(
  request: ImageGenerationRequest,
  references: readonly RequestedReference[],
): ImageRequest {
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
    references,
    preferences: parsePreferences(request.provider),
  };
}

const QUALITY_WORDS = { standard: 'medium', hd: 'high' } as const;

/** Converts the request of plain OpenAI clients; null means not set. */
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

/** A result with the URLs of its images, in order. An image without a URL is sent in the response. */
export type LinkedImageResult = ImageResult & { readonly urls?: readonly (string | undefined)[] };

/** The response as JSON, in pieces, so that the images are not copied. */
export function toImageResponse(result: LinkedImageResult, nowMs: number): BodyPieces {
  const { urls } = result;
  const entries = result.content.images.flatMap(({ b64, mediaType }, index) => [
    `${index === 0 ? '' : ','}{`,
    ...(urls?.[index] === undefined ? ['"b64_json":"', ...pieces(b64), '"'] : [`"url":${JSON.stringify(urls[index])}`]),
    mediaType ? `,"media_type":${JSON.stringify(mediaType)}}` : '}',
  ]);
  return [
    `{"created":${createdOf(result, nowMs)},"data":[`,
    ...entries,
    `],"usage":${JSON.stringify(toUsage(result))}}`,
  ];
}

/** The prefix of the event types of a stream. */
export type ImageOperation = 'image_generation' | 'image_edit';

/** The final events of a stream, one per image. The last one contains the usage of the call. */
export function toCompletedEvents(operation: ImageOperation, result: ImageResult, nowMs: number): BodyPieces[] {
  const { images } = result.content;
  const created = `"created":${createdOf(result, nowMs)}`;
  return images.map(({ b64, mediaType }, index) => {
    const rest = index === images.length - 1 ? `${created},"usage":${JSON.stringify(toUsage(result))}}` : `${created}}`;
    return [
      `{"type":"${operation}.completed","b64_json":"`,
      ...pieces(b64),
      mediaType ? `","media_type":${JSON.stringify(mediaType)},${rest}` : `",${rest}`,
    ];
  });
}

export function toPreviewEvent(operation: ImageOperation, preview: ImagePreview): BodyPieces {
  if (preview.type === 'text_chunk')
    return [JSON.stringify({ type: `${operation}.text_chunk`, text: preview.text, phase: 'content' })];
  return [
    `{"type":"${operation}.partial_image","partial_image_index":${preview.index},"b64_json":"`,
    ...pieces(preview.b64),
    '"}',
  ];
}

/** The text in pieces, without escaping, because base64 contains no characters that JSON escapes. */
const pieces = (b64: Base64Text): BodyPieces => (typeof b64 === 'string' ? [b64] : b64);

const createdOf = (result: ImageResult, nowMs: number): number => result.content.created ?? Math.floor(nowMs / 1000);

function toUsage({
  tokens,
  cost,
  upstreamCost,
  upstreamPromptCost = 0n,
  isByok,
}: ImageResult): ImageGenerationResponse['usage'] {
  return {
    prompt_tokens: tokens.prompt,
    completion_tokens: tokens.completion,
    total_tokens: tokens.prompt + tokens.completion,
    cost: nanoToUsd(cost),
    is_byok: isByok,
    ...(isByok ? { cost_details: toCostDetails(upstreamCost, upstreamPromptCost) } : {}),
  };
}

const toCostDetails = (whole: Nano, prompt: Nano): CostDetailsResponse => ({
  upstream_inference_cost: nanoToUsd(whole),
  upstream_inference_prompt_cost: nanoToUsd(prompt),
  upstream_inference_completions_cost: nanoToUsd(whole - prompt),
});

/**
 * The headers of the response to GET /images/links/{name}. Browsers must not run scripts in an image. SVG, which can
 * contain scripts, and unknown types are therefore downloaded instead of shown.
 */
export const toLinkHeaders = ({ mediaType, secondsLeft }: LinkedImage): Record<string, string> => ({
  'content-type': mediaType,
  'x-content-type-options': 'nosniff',
  'content-security-policy': "sandbox; default-src 'none'",
  'cache-control': `private, max-age=${secondsLeft}`,
  ...(SHOWN_TYPES.has(mediaType) ? {} : { 'content-disposition': 'attachment' }),
});

const SHOWN_TYPES = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif', 'image/heic']);
