import { mix, shade } from '../colour.js';
import { areaUnder, lerp, Pen, smoothThrough, swell, type Point } from '../geometry.js';
import type { Motif, Stage } from '../stage.js';
import { circle, el, group, line, path, type Markup } from '../svg.js';
import { below, birds, bottomOf, conifer, cottage, luminary, sky, stars, weather } from './scenery.js';

const LAYERS = 6;

/** Rolling fields with furrows, single trees and a house. */
export const hills: Motif = {
  name: 'hills',
  carriesLettering: true,
  ground: (stage) => sky(stage, 0.6) + (stage.palette.dark ? stars(stage, 1, below(stage, 0.4)) : ''),
  figures: (stage) => {
    const { frame, palette } = stage;
    const disc = luminary(stage, { y: below(stage, 0.24), radius: stage.unit * 13 });
    const flock = palette.dark
      ? ''
      : birds(
          stage,
          [frame.x + frame.w * (disc.x > frame.x + frame.w / 2 ? 0.3 : 0.7), below(stage, 0.13)],
          palette.near,
        );
    return group(
      {},
      disc.markup,
      palette.dark ? '' : clouds(stage),
      flock,
      ...Array.from({ length: LAYERS }, (_, i) => field(stage, i)),
      weather(stage),
    );
  },
};

function clouds(stage: Stage): Markup {
  const { frame, palette, unit } = stage;
  const prng = stage.prng.fork('clouds');
  const tint = mix(palette.sky[2], '#ffffff', 0.5);
  return group(
    {},
    ...[0.16, 0.84].map((at) => {
      const x = frame.x + frame.w * (at + prng.range(-0.08, 0.08));
      const y = Math.max(stage.calm + unit * 5, below(stage, prng.range(0.1, 0.26)));
      const s = unit * prng.range(7, 10);
      return [
        [0, 1.6],
        [0.32, 1.1],
        [-0.3, 0.9],
      ]
        .map(([dy, half]) =>
          el('rect', {
            x: x - s * (half ?? 1) + s * (dy ?? 0),
            y: y - s * (dy ?? 0) * 0.8,
            width: s * 2 * (half ?? 1),
            height: s * 0.3,
            rx: s * 0.15,
            fill: tint,
          }),
        )
        .join('');
    }),
  );
}

function field(stage: Stage, layer: number): Markup {
  const { frame, palette, unit } = stage;
  const prng = stage.prng.fork(`field${layer}`);
  const t = layer / (LAYERS - 1);
  const y = below(stage, lerp(0.46, 0.92, t ** 1.1));
  const points = swell(prng, frame, y, unit * lerp(4, 8, t), lerp(0.9, 0.5, t), 20);
  const tone =
    layer % 3 === 2
      ? mix(palette.depth(lerp(0.05, 0.7, t)), palette.third, 0.45)
      : layer % 3 === 1
        ? mix(palette.depth(lerp(0.05, 0.85, t)), palette.second, 0.5)
        : palette.depth(lerp(0.02, 0.95, t));
  const out: Markup[] = [path(areaUnder(points, frame), tone)];
  const furrows = Math.round(7 * stage.detail);
  const depth = (bottomOf(frame) - stage.calm) * 0.12;
  for (let i = 1; i <= furrows; i++) {
    const moved = points.map(([px, py], k): Point => [
      px + unit * i * (layer % 2 === 0 ? 0.5 : -0.5),
      py + depth * (i / furrows) ** 1.4 * (1 + 0.25 * Math.sin(k * 0.5 + layer)),
    ]);
    out.push(
      line(
        smoothThrough(new Pen(), moved).toString(),
        layer % 2 === 0 ? shade(tone, 0.045) : shade(tone, -0.045),
        Math.max(0.5, unit * lerp(0.25, 0.6, t)),
      ),
    );
  }
  const at = (fraction: number): Point =>
    points[Math.max(0, Math.min(points.length - 1, Math.round(fraction * (points.length - 1))))] ?? [frame.x, y];
  const trees = Math.round(lerp(7, 3, t) * Math.sqrt(stage.detail) * Math.max(1, (frame.w / frame.h) * 0.6));
  for (let i = 0; i < trees; i++) {
    const [x, ty] = at(prng.next());
    const size = unit * lerp(2.6, 9, t) * prng.range(0.8, 1.25);
    out.push(
      prng.chance(0.45)
        ? conifer(x, ty + size * 0.1, size * 2, 3, palette.depth(lerp(0.5, 1, t)))
        : tree(
            x,
            ty,
            size,
            mix(palette.depth(lerp(0.45, 0.9, t)), prng.chance(0.3) ? palette.accent : palette.second, 0.45),
            palette.near,
          ),
    );
  }
  if (layer === 3 && (stage.tags.has('house') || prng.chance(0.6))) {
    const [x, hy] = at(prng.pick([0.3, 0.7]));
    out.push(cottage(stage, x, hy + unit * 1.2, unit * 8.5));
  }
  return group({}, ...out);
}

const tree = (x: number, y: number, size: number, crown: string, trunk: string): Markup =>
  line(
    new Pen()
      .to(x, y + size * 0.15)
      .line(x, y - size * 0.5)
      .toString(),
    trunk,
    Math.max(0.5, size * 0.12),
  ) +
  el('ellipse', { cx: x, cy: y - size * 0.95, rx: size * 0.5, ry: size * 0.7, fill: crown }) +
  circle(x - size * 0.12, y - size * 1.15, size * 0.26, shade(crown, 0.06));
