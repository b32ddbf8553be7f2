import { mix, shade } from '../colour.js';
import { lerp, Pen, polar, spread, type Point } from '../geometry.js';
import type { Prng } from '../prng.js';
import type { Motif, Stage } from '../stage.js';
import { circle, group, path, rect, type Markup } from '../svg.js';
import { leaf, stem, type StemStyle } from './foliage.js';
import { bottomOf } from './scenery.js';

/** Large cut-paper flowers on stems. */
export const blooms: Motif = {
  name: 'blooms',
  carriesLettering: false,
  ground: (stage) => {
    const { frame, palette, defs } = stage;
    const tone = palette.dark ? palette.sky[0] : mix(palette.sky[2], palette.far, 0.28);
    return rect(
      frame.x,
      frame.y,
      frame.w,
      frame.h,
      defs.linear([
        [0, mix(tone, palette.sky[1], 0.4)],
        [1, tone],
      ]),
    );
  },
  figures: (stage) => {
    const { frame, palette, unit } = stage;
    const prng = stage.prng.fork('blooms');
    const wide = Math.max(1, frame.w / frame.h);
    const count = Math.round(lerp(5, 8, Math.min(1, stage.detail * 0.7)) * Math.min(wide, 3.2));
    const tones = prng.shuffle([
      palette.accent,
      palette.third,
      mix(palette.accent, palette.light, 0.45),
      palette.accent,
      mix(palette.second, palette.light, 0.4),
    ]);
    const greens = [mix(palette.second, palette.near, 0.35), mix(palette.second, palette.near, 0.65), palette.second];
    const kinds = prng.shuffle(['daisy', 'poppy', 'tulip', 'dahlia', 'cosmea'] as const);
    const plants = Array.from({ length: count }, (_, i) => {
      const lane = (i + 0.5) / count;
      const x = frame.x + frame.w * (0.07 + 0.86 * lane) + unit * prng.range(-2.5, 2.5);
      const high = i % 2 === 0;
      const head: Point = [x, frame.y + frame.h * (high ? prng.range(0.17, 0.32) : prng.range(0.44, 0.6))];
      const size = Math.min(unit * 19, frame.w / count) * prng.range(0.92, 1.1) * (high ? 1 : 0.88);
      return {
        head,
        size,
        high,
        kind: kinds[i % kinds.length] ?? 'daisy',
        tone: tones[i % tones.length] ?? palette.accent,
        green: greens[i % greens.length] ?? palette.second,
        prng: prng.fork(`plant${i}`),
      };
    });
    const stems = plants.map((p) => {
      const foot: Point = [lerp(p.head[0], frame.x + frame.w / 2, 0.12), bottomOf(frame) + unit * 4];
      const style: StemStyle = {
        kind: p.prng.pick(['pointed', 'pointed', 'fern', 'round'] as const),
        colour: p.green,
        leaf: p.green,
        dark: palette.near,
        berry: palette.accent,
      };
      return stem(p.prng, foot, p.head, unit * 9, style, 5);
    });
    const skirt = spread(Math.round(9 * wide), frame.x, frame.x + frame.w).map((x, i) =>
      leaf(
        [x, bottomOf(frame) + unit * 2],
        unit * prng.range(14, 24),
        unit * prng.range(4, 6),
        -90 + prng.range(-26, 26),
        greens[i % 2] ?? palette.second,
        palette.near,
      ),
    );
    return group(
      {},
      ...stems,
      ...skirt,
      ...plants.sort((a, b) => Number(b.high) - Number(a.high)).map((p) => flower(stage, p)),
    );
  },
};

interface Plant {
  readonly head: Point;
  readonly size: number;
  readonly kind: 'daisy' | 'poppy' | 'tulip' | 'dahlia' | 'cosmea';
  readonly tone: string;
  readonly prng: Prng;
}

function petal(at: Point, length: number, breadth: number, angle: number, blunt: number): string {
  const [x, y] = at;
  const tip = polar(x, y, length, angle);
  const a = polar(...polar(x, y, length * 0.35, angle), breadth, angle - 90);
  const b = polar(...polar(x, y, length * blunt, angle), breadth, angle - 90);
  const c = polar(...polar(x, y, length * blunt, angle), breadth, angle + 90);
  const d = polar(...polar(x, y, length * 0.35, angle), breadth, angle + 90);
  return new Pen()
    .to(x, y)
    .cubic(...a, ...b, ...tip)
    .cubic(...c, ...d, x, y)
    .close()
    .toString();
}

function flower(stage: Stage, plant: Plant): Markup {
  const { palette } = stage;
  const { head, size, kind, tone, prng } = plant;
  const r = size * 0.5;
  const dark = mix(tone, palette.near, 0.3);
  const heart = tone === palette.third ? mix(palette.accent, palette.near, 0.45) : palette.third;
  const whorl = (count: number, length: number, breadth: number, fill: string, turn: number, blunt: number): Markup =>
    group(
      {},
      ...Array.from({ length: count }, (_, i) =>
        path(petal(head, length, breadth, turn + (360 * i) / count, blunt), i % 2 === 0 ? fill : shade(fill, -0.025)),
      ),
    );
  const turn = prng.range(0, 60);
  const seeds = (ring: number, count: number, fill: string): Markup =>
    group(
      {},
      ...Array.from({ length: count }, (_, i) =>
        circle(...polar(head[0], head[1], ring, (360 * i) / count), r * 0.035, fill),
      ),
    );
  if (kind === 'tulip') return tulip(head, r * 1.15, tone, dark, palette.light);
  if (kind === 'daisy')
    return group(
      {},
      whorl(14, r * 1.05, r * 0.16, mix(palette.light, '#ffffff', 0.3), turn, 0.95),
      circle(head[0], head[1], r * 0.32, heart),
      seeds(r * 0.2, 9, palette.near),
    );
  if (kind === 'poppy')
    return group(
      {},
      whorl(4, r * 1.05, r * 0.66, tone, turn, 1.05),
      whorl(4, r * 0.8, r * 0.42, dark, turn + 45, 1.02),
      circle(head[0], head[1], r * 0.2, palette.near),
      seeds(r * 0.32, 14, palette.near),
    );
  if (kind === 'dahlia')
    return group(
      {},
      ...[1.08, 0.88, 0.68, 0.48, 0.3].map((k, i) =>
        whorl(
          12 - i,
          r * k,
          r * 0.2,
          mix(tone, i % 2 === 0 ? palette.light : palette.near, 0.06 + i * 0.07),
          turn + i * 15,
          0.8,
        ),
      ),
      circle(head[0], head[1], r * 0.12, heart),
    );
  return group(
    {},
    whorl(8, r * 1.05, r * 0.3, tone, turn, 1.08),
    whorl(8, r * 0.6, r * 0.09, dark, turn, 0.8),
    circle(head[0], head[1], r * 0.24, heart),
    seeds(r * 0.15, 7, palette.near),
  );
}

function tulip([x, y]: Point, r: number, tone: string, dark: string, light: string): Markup {
  const back = new Pen()
    .to(x, y + r)
    .cubic(x - r * 0.5, y + r * 0.4, x - r * 0.4, y - r * 0.4, x, y - r * 0.98)
    .cubic(x + r * 0.4, y - r * 0.4, x + r * 0.5, y + r * 0.4, x, y + r)
    .close()
    .toString();
  const side = (s: number): string =>
    new Pen()
      .to(x, y + r)
      .cubic(x - s * r * 0.95, y + r * 0.8, x - s * r * 0.92, y - r * 0.2, x - s * r * 0.62, y - r * 0.86)
      .cubic(x - s * r * 0.2, y - r * 0.4, x + s * r * 0.22, y + r * 0.3, x, y + r)
      .close()
      .toString();
  return group({}, path(back, dark), path(side(1), tone), path(side(-1), mix(tone, light, 0.16)));
}
