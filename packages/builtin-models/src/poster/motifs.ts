import { mix } from './colour.ts';
import { areaUnder, jagged, lerp, Pen, polygon, smoothThrough, swell, type Point, type Rect } from './geometry.ts';
import type { Palette } from './palette.ts';
import type { Prng } from './prng.ts';
import { circle, group, line, path, rect, type Defs, type Markup } from './svg.ts';
import type { MotifName } from './theme-words.ts';

/** The frame, palette and generators that a motif draws with. */
export interface Stage {
  readonly frame: Rect;
  /**
   * Above this y, only the ground and a faint halo are drawn, because lettering may be there. `frame.y` if the art has
   * no lettering.
   */
  readonly calm: number;
  /**
   * In pixels: one hundredth of the frame's shorter side. For ratios beyond 16:1 it is larger, which limits the number
   * of shapes.
   */
  readonly unit: number;
  readonly palette: Palette;
  readonly prng: Prng;
  /** A factor on the number of shapes: 0.5 low, 1 medium, 1.6 high. */
  readonly detail: number;
  readonly defs: Defs;
}

/** One family of pictures. With a transparent background the ground is not drawn. */
export interface Motif {
  readonly name: MotifName;
  /** Whether the upper part of its ground is plain enough for lettering. */
  readonly carriesLettering: boolean;
  ground(stage: Stage): Markup;
  figures(stage: Stage): Markup;
}

const bottomOf = (frame: Rect): number => frame.y + frame.h;

/** The y at the fraction `t` of the way from `stage.calm` to the frame's bottom. */
const below = (stage: Stage, t: number): number => lerp(stage.calm, bottomOf(stage.frame), t);

function sky({ frame, palette, defs }: Stage, horizon: number): Markup {
  const [top, middle, low] = palette.sky;
  const fill = defs.linear([
    [0, top],
    [horizon * 0.55, middle],
    [horizon, low],
    [1, low],
  ]);
  return rect(frame.x, frame.y, frame.w, frame.h, fill);
}

/** A sun or a moon with its halo. */
function disc(stage: Stage, atY: number): { readonly markup: Markup; readonly x: number; readonly r: number } {
  const { frame, palette, defs } = stage;
  const prng = stage.prng.fork('disc');
  const r = stage.unit * prng.range(11, 18);
  const x = frame.x + frame.w * prng.pick([0.28, 0.36, 0.62, 0.7]);
  const y = Math.max(atY, stage.calm + r * 1.15);
  const halo = defs.radial([
    [0, palette.light, 0.5],
    [0.45, palette.light, 0.16],
    [1, palette.light, 0],
  ]);
  return { x, r, markup: circle(x, y, r * 2.6, halo) + circle(x, y, r, palette.light) };
}

function stars(stage: Stage, until: number): Markup {
  const { frame, palette } = stage;
  const prng = stage.prng.fork('stars');
  const slender = Math.min(2.5, Math.max(frame.w / frame.h, frame.h / frame.w));
  const count = palette.dark ? Math.round(90 * stage.detail * slender) : 0;
  return Array.from({ length: count }, () => {
    const bright = prng.next();
    const y = lerp(stage.calm, until, prng.next());
    const r = stage.unit * lerp(0.12, 0.42, bright ** 4);
    return circle(frame.x + prng.next() * frame.w, y, r, palette.light, lerp(0.35, 1, bright));
  }).join('');
}

/** Short strokes of light on the water below the disc. */
function glitter(stage: Stage, x: number, r: number, horizon: number): Markup {
  const prng = stage.prng.fork('glitter');
  const rows = Math.round(9 * stage.detail) + 2;
  return Array.from({ length: rows }, (_, i) => {
    const t = (i + 0.4) / rows;
    const half = r * lerp(1, 0.35, t) * prng.range(0.55, 1.1);
    const y = horizon + (bottomOf(stage.frame) - horizon) * 0.34 * t ** 1.3;
    const stroke = new Pen().to(x - half, y).line(x + half, y);
    const width = Math.max(0.5, stage.unit * lerp(0.35, 0.9, t));
    return line(stroke.toString(), stage.palette.light, width, lerp(0.85, 0.35, t));
  }).join('');
}

/** A sea in bands under a low disc. */
const waves: Motif = {
  name: 'waves',
  carriesLettering: true,
  ground: (stage) => sky(stage, 0.5) + stars(stage, below(stage, 0.35)),
  figures: (stage) => {
    const { frame, palette, unit } = stage;
    const prng = stage.prng.fork('bands');
    const horizon = below(stage, 0.42);
    const { markup, x, r } = disc(stage, horizon - unit * prng.range(2, 9));
    const water = rect(frame.x, horizon, frame.w, bottomOf(frame) - horizon + 1, palette.depth(0.2));
    const count = Math.round(lerp(6, 9, stage.detail * 0.75));
    const crests = Math.max(1.2, frame.w / unit / 62);
    const bands = Array.from({ length: count }, (_, i) => {
      const t = (i + 1) / count;
      const y = lerp(horizon, bottomOf(frame), 0.1 + 0.82 * (i / count) ** 1.15);
      const points = swell(prng, frame, y, unit * lerp(0.7, 4.6, t), crests * lerp(1.8, 0.9, t));
      const body = mix(palette.depth(lerp(0.2, 1, t)), palette.second, i % 3 === 1 ? 0.4 : 0);
      const crest = smoothThrough(new Pen().to(...points[0]!), points).toString();
      const light = mix(palette.light, body, lerp(0.55, 0.3, t));
      return path(areaUnder(points, frame), body) + line(crest, light, Math.max(0.5, unit * lerp(0.22, 0.8, t)));
    });
    return group({}, markup, water, glitter(stage, x, r, horizon), ...bands);
  },
};

/** Peaks with a lit and a dark side, in several layers. */
const mountains: Motif = {
  name: 'mountains',
  carriesLettering: true,
  ground: (stage) => sky(stage, 0.72) + stars(stage, below(stage, 0.5)),
  figures: (stage) => {
    const sun = disc(stage, below(stage, 0.22));
    const layers = Math.round(lerp(3, 5, stage.detail / 1.6));
    const ranges = Array.from({ length: layers }, (_, i) => range(stage, i / (layers - 1), sun.x));
    return group({}, sun.markup, ...ranges);
  },
};

/** `t`: 0 = the furthest range, 1 = the nearest. */
function range(stage: Stage, t: number, lightX: number): Markup {
  const { frame, palette, unit, calm } = stage;
  const prng = stage.prng.fork(`range${t.toFixed(2)}`);
  const baseline = below(stage, lerp(0.66, 1, t));
  const height = (bottomOf(frame) - calm) * lerp(0.46, 0.3, t);
  const breadth = Math.max(unit * lerp(46, 62, t), height * 0.9);
  const body = palette.depth(lerp(0.08, 1, t));
  const peaks = Array.from({ length: Math.ceil(frame.w / (breadth * 0.62)) + 1 }, (_, i) => {
    const x = frame.x + breadth * 0.62 * (i - 0.1 + prng.range(-0.22, 0.22));
    const apex: Point = [x, baseline - height * prng.range(0.45, 1)];
    const half = breadth * prng.range(0.45, 0.65);
    const left = jagged(prng, [x - half, baseline], apex);
    const right = jagged(prng, apex, [x + half, baseline]);
    const lit = mix(body, palette.sky[2], 0.3);
    const sides = [lit, body];
    if (lightX > x) sides.reverse();
    const middle: Point = [x + half * 0.12, baseline];
    return path(polygon([...left, middle]), sides[0]!) + path(polygon([...right, middle]), sides[1]!);
  });
  return group({}, ...peaks, rect(frame.x, baseline - 0.5, frame.w, bottomOf(frame) - baseline + 1, body));
}

/** A grid of elementary forms. */
const bauhaus: Motif = {
  name: 'bauhaus',
  carriesLettering: false,
  ground: ({ frame, palette }) =>
    rect(frame.x, frame.y, frame.w, frame.h, palette.dark ? palette.sky[0] : mix(palette.paper, palette.far, 0.12)),
  figures: (stage) => {
    const { frame, palette, detail } = stage;
    const prng = stage.prng.fork('grid');
    const side = Math.min(frame.w, frame.h) / Math.round(3 + detail * 2);
    const [columns, rows] = [frame.w, frame.h].map((length) => Math.max(1, Math.min(64, Math.round(length / side))));
    const [w, h] = [frame.w / columns!, frame.h / rows!];
    const { accent, second, third, near, dark, light, paper } = palette;
    return Array.from({ length: columns! * rows! }, (_, i) => {
      const cell = { x: frame.x + (i % columns!) * w, y: frame.y + Math.floor(i / columns!) * h, w, h };
      const [ground, form, extra] = prng.shuffle([accent, second, third, near, dark ? light : paper]);
      return rect(cell.x, cell.y, w + 0.5, h + 0.5, ground!) + prng.pick(FORMS)(cell, form!, extra!, prng);
    }).join('');
  },
};

type Form = (cell: Rect, fill: string, second: string, prng: Prng) => Markup;

/** The forms of one cell of the grid. */
const FORMS: readonly Form[] = [
  ({ x, y, w, h }, fill, second) =>
    circle(x + w / 2, y + h / 2, Math.min(w, h) * 0.42, fill) +
    circle(x + w / 2, y + h / 2, Math.min(w, h) * 0.18, second),
  (cell, fill, second, prng) => {
    const [corner, r] = [prng.pick(cornersOf(cell)), Math.min(cell.w, cell.h)];
    return quarter(cell, corner, r, fill) + quarter(cell, corner, r / 2, second);
  },
  (cell, fill, _, prng) => path(polygon(prng.shuffle(cornersOf(cell)).slice(0, 3)), fill),
  ({ x, y, w, h }, fill) => [0, 1, 2].map((i) => rect(x, y + (h * (2 * i + 1)) / 7, w, h / 7, fill)).join(''),
  ({ x, y, w, h }, fill) =>
    [0, 1, 2, 3]
      .map((i) => circle(x + w * (0.28 + 0.44 * (i % 2)), y + h * (i < 2 ? 0.28 : 0.72), w * 0.13, fill))
      .join(''),
];

const cornersOf = ({ x, y, w, h }: Rect): Point[] => [
  [x, y],
  [x + w, y],
  [x + w, y + h],
  [x, y + h],
];

/** A quarter of a disc around a corner of the cell. */
function quarter({ x, y }: Rect, [cx, cy]: Point, r: number, fill: string): Markup {
  const [right, down] = [cx === x, cy === y];
  const pen = new Pen().to(cx, cy).line(cx + (right ? r : -r), cy);
  pen.arc(r, right === down, cx, cy + (down ? r : -r)).close();
  return path(pen.toString(), fill);
}

export const MOTIFS: Readonly<Record<MotifName, Motif>> = { bauhaus, mountains, waves };
