import type { Rect } from './geometry.js';
import { Pen } from './geometry.js';
import { capHeight, FACES, type FaceName } from './lettering/fonts.js';
import { fitText, type TextBlock } from './lettering/text-block.js';
import { toCapitals, withInitial, type Wording } from './lettering/wording.js';
import { circle, group, line, path, type Attributes, type Markup } from './svg.js';

/** The properties of the lettering that depend on the layout. */
export interface TitleStyle {
  readonly face: FaceName;
  readonly align: 'start' | 'center';
  /** `top`: grows down from the box's top; `split`: title at the top, small print at the bottom. */
  readonly anchor: 'top' | 'split';
  readonly ink: string;
  readonly quiet: string;
  readonly dots: readonly string[];
  /** An outline in this colour keeps the lettering readable without a ground. */
  readonly halo: string | undefined;
  /** The small print, such as `Nº 427`. */
  readonly edition: string;
  /** The reference length of the smaller type: about the picture's shorter side. */
  readonly measure: number;
  /** The reference length of the title: its size is at maxSize a fixed share of this. */
  readonly largest: number;
}

/** Returns the lettering as outlines inside `box`, and its lower end. */
export function drawTitle(
  wording: Wording,
  box: Rect,
  style: TitleStyle,
): { readonly markup: Markup; readonly bottom: number } {
  const face = FACES[style.face];
  const capitals = capHeight(face.title);
  const small = style.measure * 0.021;
  const hasFooter = box.h > small * 9 && box.w > small * 12;
  const footer = hasFooter ? small * 2.6 : 0;
  const room = box.h - footer;
  const leading = leadingOf(wording.title, face.leading);
  // Space below the last baseline, for descenders and marks of other scripts.
  const hang = face.capitals && leading < 1 ? 0.06 : 0.26;
  const maxSize = style.largest * (face.capitals ? 0.19 : 0.125);
  const text = { chain: face.text, tracking: 0.004, space: face.space };
  const width = style.align === 'center' && wording.subtitle !== '' ? box.w * 0.9 : box.w;
  const inner = box.x + (box.w - width) / 2;
  // Fit the subtitle first, at a readable size; the title gets the remaining height.
  const subtitle =
    wording.subtitle === ''
      ? undefined
      : fitText(withInitial(wording.subtitle), {
          setting: text,
          leading: 1.16,
          capHeight: capHeight(face.text),
          width,
          height: room * 0.4,
          largest: Math.min(style.measure * 0.05, room * 0.2),
        });
  const second = subtitle ? subtitle.height + subtitle.size * 1.35 : 0;
  const title = fitText(face.capitals ? toCapitals(wording.title) : withInitial(wording.title), {
    setting: { chain: face.title, tracking: face.tracking, space: face.space },
    leading,
    capHeight: capitals,
    width: box.w,
    height: ((room - second) * capitals) / (capitals + hang),
    largest: maxSize,
  });
  if (!title) return { markup: '', bottom: box.y };
  const below = box.y + title.height + title.size * hang;
  const gap = subtitle ? Math.max(0, Math.min(subtitle.size * 0.9, box.y + room - below - subtitle.height)) : 0;
  const out: Markup[] = [lettering(title.draw(box.x, box.y, box.w, style.align), title, style.ink, style)];
  let bottom = box.y + title.height;
  if (subtitle) {
    out.push(lettering(subtitle.draw(inner, below + gap, width, style.align), subtitle, style.quiet, style));
    bottom = below + gap + subtitle.height;
  }
  if (hasFooter) out.push(smallPrint(box, small, bottom, style));
  return { markup: group({}, ...out), bottom: hasFooter && style.anchor === 'split' ? box.y + box.h : bottom };
}

/** Scripts with marks above and below need more space between lines. */
function leadingOf(text: string, leading: number): number {
  if (/[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(text)) return 1.2;
  return /[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}\p{P}\p{S}\p{Z}]/u.test(text)
    ? Math.max(1.08, leading)
    : leading;
}

function lettering(data: string, block: TextBlock, ink: string, style: TitleStyle): Markup {
  const halo: Attributes = { stroke: style.halo, 'stroke-width': block.size * 0.16, 'stroke-linejoin': 'round' };
  return (style.halo === undefined ? '' : path(data, style.halo, halo)) + path(data, ink);
}

/** A hairline, the edition and three dots of the palette. */
function smallPrint(box: Rect, small: number, above: number, style: TitleStyle): Markup {
  if (style.anchor === 'top') return '';
  const base = box.y + box.h;
  const rule = base - small * 1.9;
  if (rule < above + small * 0.6) return '';
  const face = FACES[style.face];
  const edition = fitText(style.edition, {
    setting: { chain: face.text, tracking: 0.06, space: 0.25 },
    leading: 1,
    capHeight: capHeight(face.text),
    width: box.w * 0.6,
    height: small * 1.2,
    largest: small * 1.35,
  });
  const r = small * 0.42;
  const dots = style.dots.map((colour, i) =>
    circle(
      box.x + box.w - r - (style.dots.length - 1 - i) * r * 2.8,
      base - r * 1.15,
      r,
      colour,
      style.halo === undefined ? {} : { stroke: style.halo, 'stroke-width': r * 0.4 },
    ),
  );
  const hairline = line(
    new Pen()
      .to(box.x, rule)
      .line(box.x + box.w, rule)
      .toString(),
    style.quiet,
    Math.max(0.5, small * 0.07),
    { opacity: 0.55 },
  );
  return group(
    {},
    style.halo === undefined ? hairline : '',
    edition
      ? lettering(
          edition.draw(box.x, base - edition.height - r * 0.2, box.w * 0.6, 'start'),
          edition,
          style.quiet,
          style,
        )
      : '',
    ...dots,
  );
}
