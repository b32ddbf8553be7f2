import { mix, shade } from '../colour.js';
import { areaUnder, lerp, Pen, polygon, smoothThrough, swell, type Point } from '../geometry.js';
import type { Motif, Stage } from '../stage.js';
import { circle, group, line, path, rect, type Markup } from '../svg.js';
import { below, birds, bottomOf, luminary, sky, stars, weather } from './scenery.js';

/** A sea in bands under a low disc; a boat, a lighthouse where the prompt names them. */
export const waves: Motif = {
  name: 'waves',
  carriesLettering: true,
  ground: (stage) => sky(stage, 0.5) + (stage.palette.dark ? stars(stage, 1, below(stage, 0.35)) : ''),
  figures: (stage) => {
    const { frame, palette, unit } = stage;
    const prng = stage.prng.fork('sea');
    const horizon = below(stage, 0.42);
    const disc = luminary(stage, { y: horizon - unit * prng.range(2, 9), radius: unit * prng.range(13, 18) });
    const lighthouseLeft = disc.x > frame.x + frame.w / 2;
    const boat = stage.tags.has('boat') || (!stage.tags.has('lighthouse') && prng.chance(0.55));
    const flock = birds(
      stage,
      [frame.x + frame.w * (lighthouseLeft ? 0.35 : 0.68), below(stage, 0.14)],
      palette.dark ? palette.light : palette.near,
    );
    return group(
      {},
      disc.markup,
      palette.dark ? '' : flock,
      water(stage, horizon),
      glitter(stage, disc.x, disc.r, horizon),
      stage.tags.has('lighthouse') ? lighthouse(stage, lighthouseLeft, horizon) : '',
      bands(stage, horizon, boat),
      weather(stage),
    );
  },
};

function water(stage: Stage, horizon: number): Markup {
  const { frame, palette, defs } = stage;
  const fill = defs.linear([
    [0, mix(palette.far, palette.sky[2], 0.3)],
    [0.5, palette.depth(0.4)],
    [1, palette.near],
  ]);
  return rect(frame.x, horizon, frame.w, bottomOf(frame) - horizon + 1, fill);
}

function glitter(stage: Stage, x: number, r: number, horizon: number): Markup {
  const prng = stage.prng.fork('glitter');
  const depth = (bottomOf(stage.frame) - horizon) * 0.34;
  const rows = 11;
  return group(
    {},
    ...Array.from({ length: rows }, (_, i) => {
      const t = (i + 0.4) / rows;
      const half = r * lerp(1, 0.35, t) * prng.range(0.55, 1.1);
      const y = horizon + depth * t ** 1.3;
      const from = x + prng.range(-0.25, 0.25) * r;
      return line(
        new Pen()
          .to(from - half, y)
          .line(from + half, y)
          .toString(),
        stage.palette.light,
        Math.max(0.5, stage.unit * lerp(0.35, 0.9, t)),
        { opacity: lerp(0.85, 0.35, t) },
      );
    }),
  );
}

function bands(stage: Stage, horizon: number, boat: boolean): Markup {
  const { frame, palette, unit } = stage;
  const prng = stage.prng.fork('bands');
  const count = Math.round(lerp(6, 9, stage.detail * 0.75));
  const waves = Math.max(1.2, frame.w / unit / 62);
  const out: Markup[] = [];
  for (let i = 0; i < count; i++) {
    const t = (i + 1) / count;
    const y = lerp(horizon, bottomOf(frame), 0.1 + 0.82 * (i / count) ** 1.15);
    const points = swell(prng, frame, y, unit * lerp(0.7, 4.6, t), waves * lerp(1.8, 0.9, t), 40);
    const body =
      i % 3 === 1 ? mix(palette.depth(lerp(0.2, 0.9, t)), palette.second, 0.4) : palette.depth(lerp(0.2, 1, t));
    out.push(path(areaUnder(points, frame), body));
    const crest = smoothThrough(new Pen(), points).toString();
    out.push(
      line(crest, mix(palette.light, body, lerp(0.55, 0.3, t)), Math.max(0.5, unit * lerp(0.22, 0.8, t)), {
        opacity: 0.9,
      }),
    );
    const second = points.map(([px, py], k): Point => [
      px,
      py + unit * lerp(1, 3.4, t) + Math.sin(k * 0.9 + i) * unit * 0.4,
    ]);
    out.push(
      line(
        smoothThrough(new Pen(), second.slice(prng.int(0, 8), prng.int(24, 40))).toString(),
        shade(body, 0.09),
        Math.max(0.5, unit * lerp(0.18, 0.6, t)),
      ),
    );
    if (boat && i === Math.floor(count * 0.3)) out.push(sailboat(stage, y));
  }
  return group({}, ...out);
}

function sailboat(stage: Stage, y: number): Markup {
  const { frame, palette, unit } = stage;
  const prng = stage.prng.fork('boat');
  const x = frame.x + frame.w * prng.pick([0.3, 0.44, 0.58]);
  const s = unit * prng.range(9, 12);
  const hull = new Pen()
    .to(x - s * 0.75, y - s * 0.22)
    .line(x + s * 0.85, y - s * 0.28)
    .quad(x + s * 0.62, y + s * 0.14, x + s * 0.4, y + s * 0.16)
    .line(x - s * 0.45, y + s * 0.16)
    .quad(x - s * 0.66, y, x - s * 0.75, y - s * 0.22)
    .close()
    .toString();
  const main = new Pen()
    .to(x + s * 0.02, y - s * 1.95)
    .quad(x + s * 0.85, y - s * 1.0, x + s * 0.78, y - s * 0.42)
    .line(x + s * 0.02, y - s * 0.36)
    .close()
    .toString();
  const jib = new Pen()
    .to(x - s * 0.06, y - s * 1.7)
    .quad(x - s * 0.34, y - s * 0.8, x - s * 0.68, y - s * 0.38)
    .line(x - s * 0.06, y - s * 0.36)
    .close()
    .toString();
  return group(
    {},
    line(
      new Pen()
        .to(x - s * 0.02, y - s * 2.02)
        .line(x - s * 0.02, y - s * 0.2)
        .toString(),
      palette.near,
      Math.max(0.5, s * 0.05),
    ),
    path(main, mix(palette.paper, '#ffffff', palette.dark ? 0.85 : 0.5)),
    path(jib, palette.accent),
    path(hull, palette.near),
  );
}

function lighthouse(stage: Stage, left: boolean, horizon: number): Markup {
  const { frame, palette, unit, defs } = stage;
  const prng = stage.prng.fork('lighthouse');
  const x = frame.x + frame.w * (left ? 0.24 : 0.76);
  const side = left ? -1 : 1;
  const foot = horizon - unit * 3;
  const tall = Math.max(unit * 16, Math.min(unit * 34, foot - stage.calm - unit * 8));
  const w = tall * 0.13;
  const edge = x + side * frame.w;
  const cliff: Point[] = [
    [x - side * w * 4.2, horizon + unit * 9],
    [x - side * w * 3, horizon + unit * 2],
    [x - side * w * 1.9, foot + unit * prng.range(0, 1)],
    [x + side * w * 2, foot],
    [x + side * w * 5, foot - unit * 2],
    [edge, foot - unit * 3],
    [edge, horizon + unit * 30],
    [x - side * w * 3.4, horizon + unit * 30],
  ];
  const white = mix(palette.light, '#ffffff', 0.5);
  const width = (t: number): number => lerp(w, w * 0.62, t);
  const slab = (from: number, to: number, fill: string): Markup =>
    path(
      polygon([
        [x - width(from), foot - tall * from],
        [x - width(to), foot - tall * to],
        [x + width(to), foot - tall * to],
        [x + width(from), foot - tall * from],
      ]),
      fill,
    );
  const stripes = Array.from({ length: 5 }, (_, i) =>
    slab(i / 5, (i + 1) / 5 + 0.004, i % 2 === 0 ? palette.accent : white),
  );
  const top = foot - tall;
  const lantern =
    rect(x - w * 0.85, top - w * 0.24, w * 1.7, w * 0.3, palette.near) +
    rect(x - w * 0.42, top - w * 1.15, w * 0.84, w * 0.95, palette.light) +
    path(
      polygon([
        [x - w * 0.62, top - w * 1.1],
        [x, top - w * 1.85],
        [x + w * 0.62, top - w * 1.1],
      ]),
      palette.near,
    );
  const beam = defs.linear(
    [
      [0, palette.light, 0.7],
      [1, palette.light, 0],
    ],
    side > 0 ? 1 : 0,
    0,
    side > 0 ? 0 : 1,
    0,
  );
  const far = x - side * frame.w * 0.7;
  const ray = path(
    polygon([
      [x, top - w * 0.85],
      [far, top - w * 0.85 - unit * 2],
      [far, top - w * 0.85 + unit * 15],
      [x, top - w * 0.5],
    ]),
    beam,
    { opacity: palette.dark ? 0.75 : 0.45 },
  );
  const roundShade = path(
    polygon([
      [x + w * 0.25, foot],
      [x + w * 0.16, top],
      [x + w * 0.62, top],
      [x + w, foot],
    ]),
    palette.near,
    { opacity: 0.22 },
  );
  return group(
    {},
    ray,
    path(polygon(cliff), palette.near),
    circle(
      x,
      top - w * 0.7,
      w * 1.6,
      defs.radial([
        [0, palette.light, 0.7],
        [1, palette.light, 0],
      ]),
    ),
    ...stripes,
    roundShade,
    lantern,
  );
}
