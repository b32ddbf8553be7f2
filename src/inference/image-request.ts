import type { CatalogueEndpoint, ParameterRule } from '../catalogue/catalogue-model.js';
import { invalidRequest } from '../kernel/errors.js';
import { derivePixels, type Pixels } from '../providers/spec/image-pixels.js';
import type { ImageBackground, ImageCall, ImageFormat, ImageQuality } from '../providers/spec/image-adapter.port.js';
import type { ProviderPreferences } from './inference-context.js';
import type { AskedReference } from './reference-images.js';
import { nearestRatio, nearestSize, tierAndRatioOf, type ResolvedSize } from './image-size.js';

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
  readonly references: readonly AskedReference[];
  readonly preferences: ProviderPreferences;
}

const MOST_REFERENCES = 16;

/** What is asked of one endpoint, fitted to what it can do. */
export type FittedRequest = Omit<
  ImageCall,
  'upstreamModel' | 'provider' | 'package' | 'credential' | 'options' | 'signal' | 'user' | 'references'
> & { readonly references: readonly AskedReference[] };

/** Rules that hold whatever the endpoint. */
export function refuseContradictions(request: ImageRequest): void {
  if (
    request.background === 'transparent' &&
    request.format !== undefined &&
    request.format !== 'png' &&
    request.format !== 'webp'
  ) {
    throw invalidRequest(
      `background transparent needs an output_format with alpha (png or webp), not ${request.format}`,
    );
  }
}

/** Why an endpoint cannot take a request, by its data and never by its name; undefined where it can. */
export function misfit(request: ImageRequest, endpoint: CatalogueEndpoint): string | undefined {
  return tooMany(request, endpoint) ?? unknownChoice(request, endpoint) ?? wrongPixels(request, endpoint);
}

function tooMany(
  { model, n, references }: ImageRequest,
  { supportedParameters: rules }: CatalogueEndpoint,
): string | undefined {
  const most = rules['n']?.type === 'range' ? rules['n'].max : 1;
  if (n > most)
    return most === 1 ? `${model} makes one image at a time: n must be 1` : `n must be at most ${most} for ${model}`;
  const rule = rules['input_references'];
  const mostReferences = rule?.type === 'range' ? rule.max : rule ? MOST_REFERENCES : 0;
  if (references.length > mostReferences)
    return mostReferences === 0
      ? `${model} takes no input_references`
      : `${model} takes at most ${mostReferences} input_references`;
  return undefined;
}

/** An endpoint with a knob refuses the positions that it lacks; one without the knob ignores it, but for what the picture itself must be. */
function unknownChoice(request: ImageRequest, { supportedParameters: rules }: CatalogueEndpoint): string | undefined {
  const asked = {
    output_format: request.format,
    background: request.background,
    quality: request.quality,
    resolution: request.size.resolution,
  };
  for (const [name, value] of Object.entries(asked)) {
    const rule = rules[name];
    if (value !== undefined && value !== 'auto' && rule?.type === 'enum' && !rule.values.includes(value))
      return `${name} must be one of ${rule.values.join(', ')} for ${request.model}`;
  }
  if (request.format === 'svg' && !rules['output_format']) return `${request.model} makes no svg`;
  if (request.background === 'transparent' && !rules['background'])
    return `${request.model} makes no transparent background`;
  if (
    request.background === 'transparent' &&
    request.format === undefined &&
    alphaOf(rules['output_format']) === 'none'
  )
    return `${request.model} makes no format with alpha, which background transparent needs`;
  const seeds = rules['seed'];
  if (request.seed !== undefined && seeds?.type === 'range' && (request.seed < seeds.min || request.seed > seeds.max))
    return `seed must be from ${seeds.min} to ${seeds.max} for ${request.model}`;
  return undefined;
}

/** Explicit pixels are authoritative: an endpoint that does not make them is not asked for others. */
function wrongPixels({ model, size: { explicit } }: ImageRequest, endpoint: CatalogueEndpoint): string | undefined {
  if (!explicit) return undefined;
  const sizes = endpoint.supportedParameters['size'];
  const bounds = endpoint.pixelBounds;
  if (sizes?.type === 'enum' && !sizes.values.includes(`${explicit.width}x${explicit.height}`))
    return `size must be one of ${sizes.values.join(', ')} for ${model}`;
  if (bounds && [explicit.width, explicit.height].some((side) => side < bounds.min || side > bounds.max))
    return `size must be from ${bounds.min} to ${bounds.max} pixels a side for ${model}`;
  if (!sizes && !bounds && !tierOf(explicit, endpoint))
    return `${model} takes no size in pixels like ${explicit.width}x${explicit.height}: ask by aspect_ratio and resolution`;
  return undefined;
}

/** The tier and ratio among the endpoint's that explicit pixels come to (wire-notes section 3). */
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

/** Clamps and drops what the endpoint has no knob for, decided by its data and never by its name. */
export function fit(request: ImageRequest, endpoint: CatalogueEndpoint): FittedRequest {
  const rules = endpoint.supportedParameters;
  const ratios = rules['aspect_ratio'];
  const inTiers =
    request.size.explicit && !rules['size'] && !endpoint.pixelBounds
      ? tierOf(request.size.explicit, endpoint)
      : undefined;
  const size: ResolvedSize = inTiers ?? request.size;
  const wanted = size.aspectRatio;
  const aspectRatio = wanted !== undefined && ratios?.type === 'enum' ? nearestRatio(wanted, ratios.values) : wanted;
  return {
    prompt: request.prompt,
    n: request.n,
    ...pixelsOf(size, aspectRatio, endpoint),
    aspectRatio,
    resolution: size.resolution,
    background: knownTo(rules['background'], request.background),
    // Without the knob the vendor's own format comes, and `media_type` says which.
    format: knownTo(rules['output_format'], request.format) ?? formatFor(request, rules['output_format']),
    // For webp and jpeg; ignored for png and where there is no knob.
    compression:
      request.format === 'webp' || request.format === 'jpeg'
        ? knownTo(rules['output_compression'], request.compression)
        : undefined,
    quality: knownTo(rules['quality'], request.quality),
    seed: knownTo(rules['seed'], request.seed),
    references: request.references,
  };
}

/** Nothing for an endpoint without the knob; `auto` is left to one that has no such position. */
function knownTo<T>(rule: ParameterRule | undefined, value: T | undefined): T | undefined {
  if (!rule || (value === 'auto' && rule.type === 'enum' && !rule.values.includes('auto'))) return undefined;
  return value;
}

/** What a vendor makes where nothing is said may have no alpha. */
function formatFor({ background, format }: ImageRequest, rule: ParameterRule | undefined): ImageFormat | undefined {
  if (background !== 'transparent' || format !== undefined) return undefined;
  const alpha = alphaOf(rule);
  return alpha === 'none' ? undefined : alpha;
}

const ALPHA: readonly ImageFormat[] = ['png', 'webp'];

/** The first format with alpha that can be asked for; undefined where no format can be. */
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
  // Only endpoints that take free pixels are told derived ones; the others derive their own from tier and ratio.
  if (!endpoint.pixelBounds || (size.resolution === undefined && aspectRatio === undefined)) return {};
  const { width, height } = derivePixels(size.resolution ?? '1K', aspectRatio ?? '1:1');
  return { width, height };
}
