import type { Rect } from './geometry.ts';
import { capHeight, FACES, type FaceName } from './lettering/fonts.ts';
import { fitText, type TextBlock } from './lettering/text-block.ts';
import { toCapitals, withInitial, type Wording } from './lettering/wording.ts';
import { group, path, type Attributes, type Markup } from './svg.ts';

/** The properties of the lettering that depend on the layout. */
export interface TitleStyle {
  readonly face: FaceName;
  readonly align: 'start' | 'center';
  readonly ink: string;
  readonly quiet: string;
  /** The colour of an outline that keeps the lettering readable on a transparent background. Undefined: no outline. */
  readonly halo: string | undefined;
  /** The reference length for the size of the subtitle: about the picture's shorter side. */
  readonly measure: number;
  /** The reference length of the title. Its maximum size is a fixed share of this length. */
  readonly largest: number;
}

/** Returns the lettering as outlines inside `box`. */
export function drawTitle(wording: Wording, box: Rect, style: TitleStyle): Markup {
  const face = FACES[style.face];
  const capitals = capHeight(face.title);
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
          height: box.h * 0.4,
          largest: Math.min(style.measure * 0.05, box.h * 0.2),
        });
  const second = subtitle ? subtitle.height + subtitle.size * 1.35 : 0;
  const title = fitText(face.capitals ? toCapitals(wording.title) : withInitial(wording.title), {
    setting: { chain: face.title, tracking: face.tracking, space: face.space },
    leading,
    capHeight: capitals,
    width: box.w,
    height: ((box.h - second) * capitals) / (capitals + hang),
    largest: maxSize,
  });
  if (!title) return '';
  const below = box.y + title.height + title.size * hang;
  const gap = subtitle ? Math.max(0, Math.min(subtitle.size * 0.9, box.y + box.h - below - subtitle.height)) : 0;
  return group(
    {},
    lettering(title.draw(box.x, box.y, box.w, style.align), title, style.ink, style),
    subtitle ? lettering(subtitle.draw(inner, below + gap, width, style.align), subtitle, style.quiet, style) : '',
  );
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
