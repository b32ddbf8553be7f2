import { invalidRequest } from '../../kernel/errors/errors.js';
import { ASPECT_RATIOS, derivePixels, RESOLUTIONS, type Pixels } from '../../providers/ports/image-pixels.js';

const EXPLICIT = /^(\d{1,6})x(\d{1,6})$/;

interface RequestedSize {
  readonly size?: string;
  readonly resolution?: string;
  readonly aspectRatio?: string;
}

export interface ResolvedSize {
  /** Set if the caller sent explicit pixels, which must not be changed. */
  readonly explicit?: Pixels;
  readonly resolution?: string;
  readonly aspectRatio?: string;
}

/**
 * Combines `size` (a tier, or explicit pixels), `resolution` and `aspect_ratio`. Throws invalid_request if they
 * conflict.
 */
export function resolveSize(requested: RequestedSize): ResolvedSize {
  const { size, resolution, aspectRatio } = requested;
  if (size === undefined) return { resolution, aspectRatio };
  if (RESOLUTIONS.includes(size)) {
    if (resolution !== undefined && resolution !== size)
      throw invalidRequest(`size ${size} conflicts with resolution ${resolution}: send one of them`);
    return { resolution: size, aspectRatio };
  }
  const explicit = pixelsOf(size);
  if (!explicit)
    throw invalidRequest('size must be a tier (512, 1K, 2K, 4K) or pixels as <width>x<height>, such as 1024x768');
  if (explicit.width === 0 || explicit.height === 0) throw invalidRequest('size must be at least one pixel a side');
  if (resolution === undefined && (aspectRatio === undefined || aspectRatio === 'auto'))
    return { explicit, aspectRatio };
  assertAgreement(size, explicit, resolution, aspectRatio === 'auto' ? undefined : aspectRatio);
  return { explicit, resolution, aspectRatio };
}

function pixelsOf(size: string): Pixels | undefined {
  const match = EXPLICIT.exec(size);
  return match ? { width: Number(match[1]), height: Number(match[2]) } : undefined;
}

/**
 * Throws invalid_request unless the explicit pixels have the given ratio, and the given tier results in the same pixels
 * at that ratio.
 */
function assertAgreement(
  size: string,
  explicit: Pixels,
  resolution: string | undefined,
  aspectRatio: string | undefined,
): void {
  const ratios =
    aspectRatio === undefined ? ASPECT_RATIOS.filter((ratio) => isRatioOf(explicit, ratio)) : [aspectRatio];
  const agrees = ratios.some(
    (ratio) =>
      isRatioOf(explicit, ratio) && (resolution === undefined || same(derivePixels(resolution, ratio), explicit)),
  );
  if (agrees) return;
  const given = [resolution && `resolution ${resolution}`, aspectRatio && `aspect_ratio ${aspectRatio}`]
    .filter(Boolean)
    .join(' and ');
  throw invalidRequest(`size ${size} conflicts with ${given}: send explicit pixels without them`);
}

function isRatioOf(pixels: Pixels, ratio: string): boolean {
  const [across = 1, down = 1] = ratio.split(':').map(Number);
  return pixels.width * down === pixels.height * across;
}

/** The supported ratio that is nearest to the requested ratio; undefined for `auto` if `auto` is not supported. */
export function nearestRatio(ratio: string, supported: readonly string[]): string | undefined {
  if (supported.includes(ratio)) return ratio;
  return ratio === 'auto'
    ? undefined
    : nearestTo(
        ratio,
        supported.filter((candidate) => candidate !== 'auto'),
      );
}

/** The supported size with the proportion nearest to a ratio; undefined for `auto`, so that the vendor chooses. */
export function nearestSize(ratio: string, supported: readonly string[]): Pixels | undefined {
  if (ratio === 'auto') return undefined;
  const nearest = nearestTo(
    ratio,
    supported.filter((size) => EXPLICIT.test(size)),
  );
  return nearest === undefined ? undefined : pixelsOf(nearest);
}

/** The candidate (`3:2` or `1536x1024`) with the proportion nearest to a ratio. */
function nearestTo(ratio: string, candidates: readonly string[]): string | undefined {
  const proportion = (text: string): number => {
    const [across = 1, down = 1] = text.split(/[x:]/).map(Number);
    return Math.log(across / down);
  };
  const distance = (candidate: string): number => Math.abs(proportion(candidate) - proportion(ratio));
  return candidates.toSorted((a, b) => distance(a) - distance(b))[0];
}

/** The first tier, and its first ratio, that result in exactly these pixels; undefined if there are none. */
export function tierAndRatioOf(
  pixels: Pixels,
  tiers: readonly string[],
  ratios: readonly string[],
): { resolution: string; aspectRatio: string } | undefined {
  for (const resolution of tiers) {
    const aspectRatio = ratios.find(
      (ratio) => isRatioOf(pixels, ratio) && same(derivePixels(resolution, ratio), pixels),
    );
    if (aspectRatio !== undefined) return { resolution, aspectRatio };
  }
  return undefined;
}

const same = (a: Pixels, b: Pixels): boolean => a.width === b.width && a.height === b.height;
