import type { CatalogueEndpoint, ParameterRule } from '../../catalogue/catalogue-model.js';
import { invalidRequest } from '../../kernel/errors/errors.js';
import { derivePixels, type Pixels } from '../../providers/ports/image-pixels.js';
import type { EndpointCall } from '../../providers/ports/endpoint-call.js';
import type {
  ImageBackground,
  ImageCall,
  ImageFormat,
  ImageQuality,
} from '../../providers/ports/image-adapter.port.js';
import type { ProviderPreferences } from '../provider-preferences.js';
import type { RequestedReference } from '../images/reference-images.js';
import { nearestRatio, nearestSize, tierAndRatioOf, type ResolvedSize } from '../images/image-size.js';
import type { InferenceContext } from '../task.js';
import { endUserHash } from '../text/end-user-hash.js';

export interface ImageRequest {
  readonly model: string;
  readonly prompt: string;
  readonly n: number;
  readonly size: ResolvedSize;
  readonly background?: ImageBackground;
  readonly format?: ImageFormat;
  readonly compression?: number;
  readonly quality?: ImageQuality;
  readonly seed?: number;
  readonly references: readonly RequestedReference[];
  /** A keyed hash of the end user's id, for vendors. */
  readonly endUser?: string;
  readonly preferences: ProviderPreferences;
}

const MAX_REFERENCES = 16;
/** The formats with an alpha channel. */
const ALPHA: readonly ImageFormat[] = ['png', 'webp'];

/** A request adapted to the capabilities of one endpoint. */
export type AdaptedImageRequest = Omit<ImageCall, keyof EndpointCall | 'references'> & {
  readonly references: readonly RequestedReference[];
};

/** The request, with the hash of the end user of the call. */
export const withEndUser = (request: ImageRequest, { user, caller }: InferenceContext): ImageRequest =>
  user === undefined ? request : { ...request, endUser: endUserHash(caller.accountId, user) };

/** Throws invalid_request for combinations that no endpoint can serve. */
export function assertConsistent({ background, format }: ImageRequest): void {
  if (background === 'transparent' && format !== undefined && !ALPHA.includes(format))
    throw invalidRequest(`background transparent needs an output_format with alpha (png or webp), not ${format}`);
}

/**
 * The reason why an endpoint cannot serve a request; undefined if it can. Depends on the endpoint's data, never on its
 * name.
 */
export function unsupportedReason(request: ImageRequest, endpoint: CatalogueEndpoint): string | undefined {
  return (
    unsupportedCount(request, endpoint) ?? unsupportedChoice(request, endpoint) ?? unsupportedSize(request, endpoint)
  );
}

function unsupportedCount(
  { model, n, references }: ImageRequest,
  { supportedParameters: rules }: CatalogueEndpoint,
): string | undefined {
  const max = rules['n']?.type === 'range' ? rules['n'].max : 1;
  if (n > max)
    return max === 1 ? `${model} generates one image at a time: n must be 1` : `n must be at most ${max} for ${model}`;
  const rule = rules['input_references'];
  const maxReferences = rule?.type === 'range' ? rule.max : rule ? MAX_REFERENCES : 0;
  if (references.length > maxReferences)
    return maxReferences === 0
      ? `${model} does not support input_references`
      : `${model} accepts at most ${maxReferences} input_references`;
  return undefined;
}

/**
 * If the endpoint has a parameter, unsupported values of it are refused. If the endpoint does not have the parameter,
 * the value is ignored, unless the picture could then differ from the request (svg, transparency).
 */
function unsupportedChoice(
  { model, format, background, quality, size: { resolution }, seed }: ImageRequest,
  { supportedParameters: rules }: CatalogueEndpoint,
): string | undefined {
  const requested = { output_format: format, background, quality, resolution };
  for (const [name, value] of Object.entries(requested)) {
    const rule = rules[name];
    if (value !== undefined && value !== 'auto' && rule?.type === 'enum' && !rule.values.includes(value))
      return `${name} must be one of ${rule.values.join(', ')} for ${model}`;
  }
  if (format === 'svg' && !rules['output_format']) return `${model} cannot generate svg`;
  if (background === 'transparent' && !rules['background']) return `${model} cannot generate a transparent background`;
  if (background === 'transparent' && format === undefined && alphaOf(rules['output_format']) === 'none')
    return `${model} cannot generate a format with alpha, which background transparent needs`;
  const seeds = rules['seed'];
  if (seed !== undefined && seeds?.type === 'range' && (seed < seeds.min || seed > seeds.max))
    return `seed must be from ${seeds.min} to ${seeds.max} for ${model}`;
  return undefined;
}

/** Explicit pixels are refused if they are unsupported, because they are never replaced. */
function unsupportedSize({ model, size: { explicit } }: ImageRequest, endpoint: CatalogueEndpoint): string | undefined {
  if (!explicit) return undefined;
  const sizes = endpoint.supportedParameters['size'];
  const bounds = endpoint.pixelBounds;
  if (sizes?.type === 'enum' && !sizes.values.includes(`${explicit.width}x${explicit.height}`))
    return `size must be one of ${sizes.values.join(', ')} for ${model}`;
  if (bounds && [explicit.width, explicit.height].some((side) => side < bounds.min || side > bounds.max))
    return `size must be from ${bounds.min} to ${bounds.max} pixels a side for ${model}`;
  if (!sizes && !bounds && !tierOf(explicit, endpoint))
    return (
      `${model} does not support the size ${explicit.width}x${explicit.height}: send aspect_ratio and ` +
      'resolution instead'
    );
  return undefined;
}

/** The endpoint's resolution and aspect ratio that result in exactly the explicit pixels. */
function tierOf(
  explicit: Pixels,
  { supportedParameters: rules }: CatalogueEndpoint,
): Pick<ResolvedSize, 'resolution' | 'aspectRatio'> | undefined {
  const ratios = rules['aspect_ratio'];
  const tiers = rules['resolution'];
  return tierAndRatioOf(
    explicit,
    tiers?.type === 'enum' ? tiers.values : ['1K'],
    ratios?.type === 'enum' ? ratios.values : [],
  );
}

/**
 * Adapts a request: uses the nearest supported aspect ratio and size, and drops parameters that the endpoint does not
 * have. Depends on the endpoint's data, never on its name.
 */
export function adaptTo(endpoint: CatalogueEndpoint, request: ImageRequest): AdaptedImageRequest {
  const rules = endpoint.supportedParameters;
  const ratios = rules['aspect_ratio'];
  const asTier =
    request.size.explicit && !rules['size'] && !endpoint.pixelBounds
      ? tierOf(request.size.explicit, endpoint)
      : undefined;
  const size: ResolvedSize = asTier ?? request.size;
  const requested = size.aspectRatio;
  const aspectRatio =
    requested !== undefined && ratios?.type === 'enum' ? nearestRatio(requested, ratios.values) : requested;
  return {
    prompt: request.prompt,
    n: request.n,
    ...pixelsOf(size, aspectRatio, endpoint),
    aspectRatio,
    resolution: size.resolution,
    background: supported(rules['background'], request.background),
    // If the format is undefined, the vendor chooses it, and reports it as `media_type`.
    format: supported(rules['output_format'], request.format) ?? formatFor(request, rules['output_format']),
    // The compression applies to webp and jpeg only.
    compression:
      request.format === 'webp' || request.format === 'jpeg'
        ? supported(rules['output_compression'], request.compression)
        : undefined,
    quality: supported(rules['quality'], request.quality),
    seed: supported(rules['seed'], request.seed),
    references: request.references,
    endUser: request.endUser,
  };
}

/**
 * The value to send. Undefined if the endpoint does not have the parameter, or if the value is `auto` and the endpoint
 * does not accept it.
 */
function supported<T>(rule: ParameterRule | undefined, value: T | undefined): T | undefined {
  if (!rule || (value === 'auto' && rule.type === 'enum' && !rule.values.includes('auto'))) return undefined;
  return value;
}

/** The format to request if only transparency is requested, because the vendor's default may have no alpha channel. */
function formatFor({ background, format }: ImageRequest, rule: ParameterRule | undefined): ImageFormat | undefined {
  if (background !== 'transparent' || format !== undefined) return undefined;
  const alpha = alphaOf(rule);
  return alpha === 'none' ? undefined : alpha;
}

/**
 * The first supported format with alpha; `none` if the endpoint supports none. Undefined if the endpoint does not have
 * the parameter.
 */
const alphaOf = (rule: ParameterRule | undefined): ImageFormat | 'none' | undefined =>
  rule?.type === 'enum' ? (ALPHA.find((format) => rule.values.includes(format)) ?? 'none') : undefined;

function pixelsOf(
  size: ResolvedSize,
  aspectRatio: string | undefined,
  endpoint: CatalogueEndpoint,
): { width?: number; height?: number } {
  if (size.explicit) return { width: size.explicit.width, height: size.explicit.height };
  const sizes = endpoint.supportedParameters['size'];
  if (sizes?.type === 'enum' && aspectRatio !== undefined) return nearestSize(aspectRatio, sizes.values) ?? {};
  // Derived pixels are sent only to endpoints that accept any pixels. Other endpoints derive the pixels from resolution
  // and ratio.
  if (!endpoint.pixelBounds || (size.resolution === undefined && aspectRatio === undefined)) return {};
  const { width, height } = derivePixels(size.resolution ?? '1K', aspectRatio ?? '1:1');
  return { width, height };
}
