import { collage, type Picture } from './collage.js';
import { contrast, mix, readableOn } from './colour.js';
import { inset, Pen, type Rect } from './geometry.js';
import { layoutOf, type Layout } from './layout.js';
import type { FaceName } from './lettering/fonts.js';
import { wordingOf } from './lettering/wording.js';
import { MOTIFS } from './motifs/motif-registry.js';
import { paletteOf, type Palette } from './palette.js';
import { Prng } from './prng.js';
import type { Motif, Stage } from './stage.js';
import { Defs, group, path, rect, svgDocument, type Markup } from './svg.js';
import { themeOf } from './theme.js';
import { drawTitle, type TitleStyle } from './title.js';

export interface Commission {
  readonly prompt: string;
  readonly seed: string;
  readonly index: number;
  readonly width: number;
  readonly height: number;
  readonly transparent: boolean;
  readonly detail: number;
  readonly pictures: readonly Picture[];
}

/** How much of the picture is drawn; previews are drawn in part. */
export type Progress = 'ground' | 'figures' | 'whole';

export interface Composition {
  /** The background colour for output formats without alpha. */
  readonly paper: string;
  /** The SVG, scaled to `shownAs` pixels (default: the commission's size). */
  svg(progress: Progress, shownAs?: { readonly width: number; readonly height: number }): string;
}

/** Composes one picture. Equal commissions produce equal compositions, byte for byte. */
export function compose(commission: Commission): Composition {
  const { prompt, width, height, transparent } = commission;
  const prng = Prng.of(commission.seed, prompt, commission.index);
  const theme = themeOf(prompt, prng.fork('theme'));
  const palette = paletteOf(theme.mood, prng.fork('palette'));
  const motif = MOTIFS[theme.motif];
  const wording = wordingOf(prompt);
  const layout = layoutOf({
    width,
    height,
    carriesLettering: motif.carriesLettering,
    lettered: wording.title !== '',
    transparent,
    references: commission.pictures.length > 0,
    prng: prng.fork('layout'),
  });
  const grounds = groundsOf(layout, palette, motif);
  return {
    paper: palette.paper,
    svg: (progress, shownAs = { width, height }) => {
      const defs = new Defs();
      const title =
        layout.text && progress === 'whole'
          ? drawTitle(wording, layout.text, titleStyle(layout, palette, grounds, commission, prng))
          : undefined;
      const calm = layout.onArt && layout.text ? layout.text.y + layout.text.h : layout.art.y;
      const stage: Stage = {
        frame: layout.art,
        calm,
        unit: unitOf(layout.art),
        palette,
        prng: prng.fork('art'),
        detail: commission.detail,
        tags: theme.tags,
        defs,
      };
      const art = group({}, transparent ? '' : motif.ground(stage), progress === 'ground' ? '' : motif.figures(stage));
      const clip = defs.clip(frameShape(layout));
      const body = group(
        {},
        transparent ? '' : rect(0, 0, width, height, layout.band ? bandOf(palette) : palette.paper),
        group({ 'clip-path': clip }, art),
        progress === 'ground' || commission.pictures.length === 0
          ? ''
          : collage(commission.pictures, inset(layout.art, stage.unit * 3), palette, prng.fork('collage')),
        title?.markup ?? '',
      );
      return svgDocument({ width, height }, shownAs, defs, body);
    },
  };
}

/** The reference length for the largest title size; longer than the shorter side in very narrow pictures. */
function largestTitle({ width, height }: Commission, layout: Layout): number {
  const short = Math.min(width, height);
  const slender = Math.max(width, height) / short;
  return Math.min(
    short * (slender > 1.4 && !layout.onArt ? 1.7 : slender > 2 ? 1.6 : 1.1),
    (layout.text?.w ?? width) * 2,
  );
}

/** In very narrow frames the unit follows the longer side, which bounds the number of shapes. */
const unitOf = ({ w, h }: Rect): number => Math.max(Math.min(w, h) / 100, Math.max(w, h) / 1600);

const bandOf = (palette: Palette): string => (palette.dark ? palette.sky[0] : palette.near);

/** Every colour that can be behind the lettering. */
function groundsOf(layout: Layout, palette: Palette, motif: Motif): readonly string[] {
  if (!layout.onArt) return [layout.band ? bandOf(palette) : palette.paper];
  // The calm zone is the upper two fifths, where skies grade from their top colour to the middle one.
  return motif.name === 'waves'
    ? [palette.sky[0], palette.sky[1], mix(palette.sky[1], palette.sky[2], 0.4)]
    : [palette.sky[0], palette.sky[1]];
}

function titleStyle(
  layout: Layout,
  palette: Palette,
  grounds: readonly string[],
  commission: Commission,
  prng: Prng,
): TitleStyle {
  const style = prng.fork('title');
  const face: FaceName = style.pick(['poster', 'poster', 'serif', 'sans']);
  const ink = layout.onArt
    ? readableOn(grounds, [palette.paper, palette.ink, palette.near, palette.light], 4.5)
    : readableOn(
        grounds,
        style.chance(0.3)
          ? [palette.accent, palette.ink, palette.paper, palette.light]
          : [palette.ink, palette.paper, palette.light],
        4.5,
      );
  const ground = grounds[0] ?? palette.paper;
  const quiet = readableOn(grounds, [mix(ink, ground, 0.22), ink], 4.5);
  const dots = [palette.accent, palette.third, palette.second].filter((c) => contrast(c, ground) > 1.25);
  return {
    face,
    align: layout.align,
    anchor: layout.onArt ? 'top' : 'split',
    ink,
    quiet,
    dots,
    halo: commission.transparent ? palette.paper : undefined,
    edition: `Nº ${prng.fork('edition').int(1, 999)}`,
    measure: Math.min(commission.width, commission.height * 1.25, (layout.text?.w ?? commission.width) * 1.6),
    largest: largestTitle(commission, layout),
  };
}

function frameShape({ art, shape }: Layout): Markup {
  if (shape === 'arch') return path(archOf(art), '#000000');
  const corner = shape === 'round' ? Math.min(art.w, art.h) * 0.06 : 0;
  return rect(art.x, art.y, art.w, art.h, '#000000', { rx: corner > 0 ? corner : undefined });
}

function archOf(r: Rect): string {
  const radius = Math.min(r.w / 2, r.h);
  const bottom = r.y + r.h;
  return new Pen()
    .to(r.x, bottom)
    .line(r.x, r.y + radius)
    .arc(r.w / 2, false, true, r.x + r.w, r.y + radius)
    .line(r.x + r.w, bottom)
    .close()
    .toString();
}
