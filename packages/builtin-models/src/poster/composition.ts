import { collage, type Picture } from './collage.ts';
import { mix, readableOn } from './colour.ts';
import { inset, type Rect } from './geometry.ts';
import { layoutOf, type Layout } from './layout.ts';
import { wordingOf } from './lettering/wording.ts';
import { MOTIFS, type Motif, type Stage } from './motifs.ts';
import { paletteOf, type Palette } from './palette.ts';
import { Prng } from './prng.ts';
import { Defs, group, rect, svgDocument, type Markup } from './svg.ts';
import { themeOf } from './theme.ts';
import { drawTitle, type TitleStyle } from './title.ts';

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

/** The parts of the picture to draw. Only previews use `ground` and `figures`. */
export type Progress = 'ground' | 'figures' | 'whole';

export interface PosterComposition {
  /** The background colour for output formats without alpha. */
  readonly paper: string;
  /** The SVG, scaled to `shownAs` pixels (default: the commission's size). */
  svg(progress: Progress, shownAs?: { readonly width: number; readonly height: number }): string;
}

/** Composes one picture. Equal commissions produce equal compositions, byte for byte. */
export function compose(commission: Commission): PosterComposition {
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
        defs,
      };
      const art = group({}, transparent ? '' : motif.ground(stage), progress === 'ground' ? '' : motif.figures(stage));
      const clip = defs.clip(frameShape(layout));
      const body = group(
        {},
        transparent ? '' : rect(0, 0, width, height, palette.paper),
        group({ 'clip-path': clip }, art),
        progress === 'ground' || commission.pictures.length === 0
          ? ''
          : collage(commission.pictures, inset(layout.art, stage.unit * 3), palette, prng.fork('collage')),
        title ?? '',
      );
      return svgDocument({ width, height }, shownAs, defs, body);
    },
  };
}

/**
 * The length in pixels from which the title's maximum size is derived (`TitleStyle.largest`): 1.1 times the picture's
 * shorter side, or up to 1.7 times in elongated pictures, but at most twice the width of the text box.
 */
function largestTitle({ width, height }: Commission, layout: Layout): number {
  const short = Math.min(width, height);
  const slender = Math.max(width, height) / short;
  return Math.min(
    short * (slender > 1.4 && !layout.onArt ? 1.7 : slender > 2 ? 1.6 : 1.1),
    (layout.text?.w ?? width) * 2,
  );
}

/** In very narrow frames the unit depends on the longer side, which limits the number of shapes. */
const unitOf = ({ w, h }: Rect): number => Math.max(Math.min(w, h) / 100, Math.max(w, h) / 1600);

/** Every colour that can be behind the lettering. */
function groundsOf(layout: Layout, palette: Palette, motif: Motif): readonly string[] {
  if (!layout.onArt) return [palette.paper];
  // The lettering is in the upper two fifths of the art, where the sky is a gradient from the top to the middle colour.
  // In `waves`, whose horizon is higher, the gradient there already continues towards the third colour.
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
  const face = style.pick(['poster', 'poster', 'serif', 'sans'] as const);
  const { paper, ink, near, light, accent } = palette;
  const onPaper = style.chance(0.3) ? [accent, ink, paper, light] : [ink, paper, light];
  const title = readableOn(grounds, layout.onArt ? [paper, ink, near, light] : onPaper);
  return {
    face,
    align: layout.align,
    ink: title,
    quiet: readableOn(grounds, [mix(title, grounds[0]!, 0.22), title]),
    halo: commission.transparent ? paper : undefined,
    measure: Math.min(commission.width, commission.height * 1.25, (layout.text?.w ?? commission.width) * 1.6),
    largest: largestTitle(commission, layout),
  };
}

function frameShape({ art, isRound }: Layout): Markup {
  const corner = isRound ? Math.min(art.w, art.h) * 0.06 : undefined;
  return rect(art.x, art.y, art.w, art.h, '#000000', { rx: corner });
}
