import type { CatalogueEndpoint } from '../catalogue/catalogue-model.js';
import { invalidRequest } from '../kernel/errors.js';
import { derivePixels } from '../providers/spec/image-pixels.js';
import type { ImageBackground, ImageCall, ImageFormat, ImageQuality, ReferenceImage } from '../providers/spec/image-adapter.port.js';
import type { ProviderPreferences } from './inference-context.js';
import { nearestRatio, nearestSize, type ResolvedSize } from './image-size.js';

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
  readonly references: readonly ReferenceImage[];
  readonly preferences: ProviderPreferences;
}

/** What is asked of one endpoint, fitted to what it can do. */
export type FittedRequest = Omit<ImageCall, 'upstreamModel' | 'provider' | 'credential' | 'options' | 'signal' | 'user'>;

/** Rules that hold whatever the endpoint. */
export function refuseContradictions(request: ImageRequest): void {
  if (request.background === 'transparent' && request.format !== undefined && request.format !== 'png' && request.format !== 'webp') {
    throw invalidRequest(`background transparent needs an output_format with alpha (png or webp), not ${request.format}`);
  }
}

/** Why an endpoint cannot take a request; undefined where it can. */
export function misfit(request: ImageRequest, endpoint: CatalogueEndpoint): string | undefined {
  const rules = endpoint.supportedParameters;
  const most = rules['n']?.type === 'range' ? rules['n'].max : 1;
  if (request.n > most) return most === 1 ? `${request.model} makes one image at a time: n must be 1` : `n must be at most ${most} for ${request.model}`;
  const references = rules['input_references'];
  const mostReferences = references?.type === 'range' ? references.max : references ? 16 : 0;
  if (request.references.length > mostReferences) return mostReferences === 0 ? `${request.model} takes no input_references` : `${request.model} takes at most ${mostReferences} input_references`;
  const formats = rules['output_format'];
  if (request.format && formats?.type === 'enum' && !formats.values.includes(request.format)) return `output_format must be one of ${formats.values.join(', ')} for ${request.model}`;
  if (request.format === 'svg' && !formats) return `${request.model} makes no svg`;
  const { explicit } = request.size;
  const sizes = rules['size'];
  if (explicit && sizes?.type === 'enum' && !sizes.values.includes(`${explicit.width}x${explicit.height}`)) return `size must be one of ${sizes.values.join(', ')} for ${request.model}`;
  const bounds = endpoint.pixelBounds;
  if (explicit && bounds && [explicit.width, explicit.height].some((side) => side < bounds.min || side > bounds.max)) {
    return `size must be from ${bounds.min} to ${bounds.max} pixels a side for ${request.model}`;
  }
  return undefined;
}

/** Clamps and drops what the endpoint has no knob for, decided by its data and never by its name. */
export function fit(request: ImageRequest, endpoint: CatalogueEndpoint): FittedRequest {
  const rules = endpoint.supportedParameters;
  const ratios = rules['aspect_ratio'];
  const wanted = request.size.aspectRatio;
  const aspectRatio = wanted !== undefined && ratios?.type === 'enum' ? nearestRatio(wanted, ratios.values) : wanted;
  return {
    prompt: request.prompt,
    n: request.n,
    ...pixelsOf(request.size, aspectRatio, endpoint),
    aspectRatio,
    resolution: request.size.resolution,
    background: rules['background'] ? request.background : undefined,
    format: request.format,
    // For webp and jpeg; ignored for png and where there is no knob.
    compression: rules['output_compression'] && (request.format === 'webp' || request.format === 'jpeg') ? request.compression : undefined,
    quality: rules['quality'] ? request.quality : undefined,
    seed: rules['seed'] ? request.seed : undefined,
    references: request.references,
  };
}

function pixelsOf(size: ResolvedSize, aspectRatio: string | undefined, endpoint: CatalogueEndpoint): { width?: number; height?: number } {
  if (size.explicit) return { width: size.explicit.width, height: size.explicit.height };
  const sizes = endpoint.supportedParameters['size'];
  if (sizes?.type === 'enum' && aspectRatio !== undefined) return nearestSize(aspectRatio, sizes.values) ?? {};
  // Only endpoints that take free pixels are told derived ones; the others derive their own from tier and ratio.
  if (!endpoint.pixelBounds || (size.resolution === undefined && aspectRatio === undefined)) return {};
  const { width, height } = derivePixels(size.resolution ?? '1K', aspectRatio ?? '1:1');
  return { width, height };
}
