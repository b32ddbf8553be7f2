/** SVG made by this adapter's own code. No text of a caller ever becomes markup: lettering is drawn as outlines. */
export type Markup = string;

/** What attribute values may be made of; it has no quote, no angle bracket, no ampersand and no colon. */
const SAFE_VALUE = /^[-\w#(). ,%]*$/;
const SAFE_NAME = /^[a-zA-Z][-a-zA-Z]*[12]?$/;

export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** At most two decimals, so that the same picture is the same bytes. */
export function num(value: number): string {
  if (!Number.isFinite(value)) throw new Error('a coordinate is not a finite number');
  const rounded = Math.round(value * 100) / 100;
  return String(rounded === 0 ? 0 : rounded);
}

export function el(name: string, attributes: Attributes, children: Markup = ''): Markup {
  if (!SAFE_NAME.test(name)) throw new Error('unsafe element name');
  let out = `<${name}`;
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined) continue;
    const text = typeof value === 'number' ? num(value) : value;
    if (!SAFE_NAME.test(key) || !SAFE_VALUE.test(text)) throw new Error(`unsafe attribute ${name}.${key}`);
    out += ` ${key}="${text}"`;
  }
  return children === '' ? `${out}/>` : `${out}>${children}</${name}>`;
}

export const group = (attributes: Attributes, ...children: readonly Markup[]): Markup => {
  const inside = children.join('');
  return inside === '' ? '' : el('g', attributes, inside);
};

/**
 * How much a shape covers. It becomes `fill-opacity` or `stroke-opacity`, never `opacity`: for that one a renderer
 * allocates a layer as large as the picture, and ten seconds go by at 4096 pixels.
 */
export type Look = Attributes & { readonly opacity?: number };

const filled = ({ opacity, ...more }: Look): Attributes => ({ ...more, 'fill-opacity': opacity });
const stroked = ({ opacity, ...more }: Look): Attributes => ({ ...more, 'stroke-opacity': opacity });

export const circle = (cx: number, cy: number, r: number, fill: string, more: Look = {}): Markup =>
  el('circle', { cx, cy, r: Math.max(0, r), fill, ...filled(more) });

export const rect = (x: number, y: number, width: number, height: number, fill: string, more: Look = {}): Markup =>
  width > 0 && height > 0 ? el('rect', { x, y, width, height, fill, ...filled(more) }) : '';

export const path = (d: string, fill: string, more: Look = {}): Markup =>
  d === '' ? '' : el('path', { d, fill, ...filled(more) });

export const line = (d: string, stroke: string, width: number, more: Look = {}): Markup =>
  d === ''
    ? ''
    : el('path', {
        d,
        fill: 'none',
        stroke,
        'stroke-width': width,
        'stroke-linecap': 'round',
        'stroke-linejoin': 'round',
        ...stroked(more),
      });

export type Stop = readonly [offset: number, colour: string, opacity?: number];

/** Gradients and clips of one document, numbered in the order in which they are asked for. */
export class Defs {
  private readonly entries: Markup[] = [];

  /** Top to bottom by default; the end points are fractions of the shape's box. */
  linear(stops: readonly Stop[], x1 = 0, y1 = 0, x2 = 0, y2 = 1): string {
    return this.add((id) => el('linearGradient', { id, x1, y1, x2, y2 }, stopMarkup(stops)));
  }

  radial(stops: readonly Stop[], cx = 0.5, cy = 0.5, r = 0.5): string {
    return this.add((id) => el('radialGradient', { id, cx, cy, r }, stopMarkup(stops)));
  }

  clip(shape: Markup): string {
    return this.add((id) => el('clipPath', { id }, shape));
  }

  markup(): Markup {
    return this.entries.length === 0 ? '' : el('defs', {}, this.entries.join(''));
  }

  private add(make: (id: string) => Markup): string {
    const id = `d${this.entries.length}`;
    this.entries.push(make(id));
    return `url(#${id})`;
  }
}

const stopMarkup = (stops: readonly Stop[]): Markup =>
  stops
    .map(([offset, colour, opacity]) => el('stop', { offset, 'stop-color': colour, 'stop-opacity': opacity }))
    .join('');

interface Size {
  readonly width: number;
  readonly height: number;
}

/** `shownAs` scales the whole drawing; both are pixels. */
export function svgDocument(drawn: Size, shownAs: Size, defs: Defs, body: Markup): string {
  const size = `width="${num(shownAs.width)}" height="${num(shownAs.height)}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 ${num(drawn.width)} ${num(drawn.height)}">${defs.markup()}${body}</svg>`;
}
