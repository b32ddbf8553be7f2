import type { Rect } from './geometry.ts';
import type { Prng } from './prng.ts';

/** The boxes of art and lettering, in pixels of the whole picture. */
export interface Layout {
  readonly art: Rect;
  /** Whether the corners of the art are round. */
  readonly isRound: boolean;
  /** The box of the lettering; undefined = no lettering. */
  readonly text: Rect | undefined;
  /** True if the lettering is drawn over the upper part of the art, which is kept plain; false if it is on paper. */
  readonly onArt: boolean;
  readonly align: 'start' | 'center';
}

interface LayoutRequest {
  readonly width: number;
  readonly height: number;
  readonly carriesLettering: boolean;
  readonly lettered: boolean;
  readonly transparent: boolean;
  readonly references: boolean;
  readonly prng: Prng;
}

export function layoutOf(request: LayoutRequest): Layout {
  const { width, height, prng } = request;
  const whole: Rect = { x: 0, y: 0, w: width, h: height };
  const aspect = width / height;
  if (!request.lettered) return { art: whole, isRound: false, text: undefined, onArt: false, align: 'start' };
  const onArt =
    request.carriesLettering &&
    !request.transparent &&
    !request.references &&
    aspect < 2.2 &&
    prng.fork('bleed').chance(0.55);
  if (onArt) return bleed(whole, prng);
  return aspect > 1.3 ? columns(whole, request) : rows(whole, request);
}

const marginOf = (whole: Rect): number => Math.min(whole.w, whole.h) * 0.07;

function bleed(whole: Rect, prng: Prng): Layout {
  const m = marginOf(whole);
  const aspect = whole.w / whole.h;
  const text: Rect = {
    x: m,
    y: m,
    w: aspect > 1.3 ? whole.w * 0.62 : whole.w - 2 * m,
    h: whole.h * (aspect < 0.5 ? 0.24 : 0.27),
  };
  const align = aspect <= 1.3 && prng.fork('align').chance(0.45) ? 'center' : 'start';
  return { art: whole, isRound: false, text, onArt: true, align };
}

/** The lettering is below the art. */
function rows(whole: Rect, request: LayoutRequest): Layout {
  const m = marginOf(whole);
  const { prng } = request;
  const tall = whole.h / whole.w;
  const share = tall > 2.5 ? 0.76 : tall > 1.2 ? 0.7 : 0.66;
  const split = whole.h * share;
  const align = prng.fork('align').chance(0.4) ? 'center' : 'start';
  const full = !request.transparent && prng.fork('full').chance(0.5);
  const gap = m * 0.75;
  const text: Rect = { x: m, y: split + gap, w: whole.w - 2 * m, h: whole.h - split - gap - m };
  const art: Rect = full ? { x: 0, y: 0, w: whole.w, h: split } : { x: m, y: m, w: whole.w - 2 * m, h: split - m };
  return { art, isRound: !full && isRound(request), text, onArt: false, align };
}

/** The lettering is next to the art. */
function columns(whole: Rect, request: LayoutRequest): Layout {
  const m = marginOf(whole);
  const { prng } = request;
  const aspect = whole.w / whole.h;
  const share = aspect > 4 ? 0.42 : aspect > 2.2 ? 0.38 : 0.36;
  const column = whole.w * share;
  const left = prng.fork('left').chance(0.7);
  const full = !request.transparent && prng.fork('full').chance(0.55);
  const text: Rect = { x: left ? m : whole.w - column + m, y: m, w: column - 2 * m, h: whole.h - 2 * m };
  const x = left ? column : 0;
  const art: Rect = full
    ? { x, y: 0, w: whole.w - column, h: whole.h }
    : { x: x + (left ? 0 : m), y: m, w: whole.w - column - m, h: whole.h - 2 * m };
  return { art, isRound: !full && isRound(request), text, onArt: false, align: 'start' };
}

/** Whether the corners of the art are round. They are square if the caller sent reference pictures. */
const isRound = ({ references, transparent, prng }: LayoutRequest): boolean =>
  !references && (transparent || prng.fork('shape').chance(0.5));
