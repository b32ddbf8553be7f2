import { mix } from '../colour.js';
import { lerp, Pen, polygon, smoothThrough, swell, type Point } from '../geometry.js';
import type { Motif, Stage } from '../stage.js';
import { circle, group, line, path, rect, type Markup } from '../svg.js';
import { below, birds, bottomOf, luminary, sky, stars } from './scenery.js';

/** Dunes with a lit and a shadowed flank under a large sun. */
export const dunes: Motif = {
  name: 'dunes',
  carriesLettering: true,
  ground: (stage) => sky(stage, 0.6) + (stage.palette.dark ? stars(stage, 1.2, below(stage, 0.5)) : ''),
  figures: (stage) => {
    const { frame, palette, unit } = stage;
    const disc = luminary(stage, { y: below(stage, 0.3), radius: unit * stage.prng.fork('sun').range(15, 22) });
    const flock = palette.dark
      ? ''
      : birds(
          stage,
          [frame.x + frame.w * (disc.x > frame.x + frame.w / 2 ? 0.25 : 0.75), below(stage, 0.12)],
          palette.near,
        );
    const body = Array.from({ length: 5 }, (_, i) => dune(stage, i, 5));
    body.splice(1, 0, stage.tags.has('pyramid') ? pyramids(stage) : '');
    body.splice(5, 0, stage.tags.has('cactus') || stage.prng.fork('cactus?').chance(0.4) ? cacti(stage) : '');
    return group({}, disc.markup, flock, ...body);
  },
};

function dune(stage: Stage, layer: number, layers: number): Markup {
  const { frame, palette, unit, defs } = stage;
  const prng = stage.prng.fork(`dune${layer}`);
  const t = layer / (layers - 1);
  const y = below(stage, lerp(0.48, 0.86, t));
  const reach = unit * lerp(5, 13, t);
  const crestX = frame.x + frame.w * prng.range(0.2, 0.8);
  const crest: Point = [crestX, y - reach];
  const left = [
    ...swell(prng, { ...frame, w: crestX - frame.x }, y + reach * 0.25, reach * 0.2, 0.4, 6)
      .slice(0, -1)
      .map(([px, py], i, all): Point => [px, lerp(py, crest[1], (i / all.length) ** 1.8)]),
    crest,
  ];
  const right = [
    crest,
    ...swell(prng, { ...frame, x: crestX, w: frame.x + frame.w - crestX }, y + reach * 0.4, reach * 0.2, 0.4, 6)
      .slice(1)
      .map(([px, py], i, all): Point => [px, lerp(crest[1], py, Math.min(1, ((i + 1) / all.length) * 1.5))]),
  ];
  const floor = bottomOf(frame) + 1;
  const base = palette.depth(lerp(0.02, 0.74, t));
  const lit = defs.linear([
    [0, mix(base, palette.light, 0.34)],
    [1, base],
  ]);
  const whole = smoothThrough(smoothThrough(new Pen().to(frame.x, floor), left, 'line'), right, 'line')
    .line(frame.x + frame.w, floor)
    .close()
    .toString();
  const bend = unit * prng.range(8, 20);
  const shadow = smoothThrough(new Pen(), right)
    .line(frame.x + frame.w, floor)
    .line(crestX + bend * 2.2, floor)
    .cubic(crestX - bend * 1.6, lerp(y, floor, 0.6), crestX + bend * 1.4, lerp(y, floor, 0.25), crest[0], crest[1])
    .close()
    .toString();
  const ripples =
    t < 0.5
      ? []
      : Array.from({ length: Math.round(5 * stage.detail) }, (_, i) => {
          const from = frame.x + (crestX - frame.x) * prng.range(0, 0.5);
          const ry = y + unit * (5 + i * 3.6);
          return line(
            new Pen()
              .to(from, ry)
              .quad(from + unit * 10, ry - unit * 2, from + unit * prng.range(16, 26), ry)
              .toString(),
            palette.near,
            Math.max(0.4, unit * 0.25),
            { opacity: 0.22 },
          );
        });
  return group(
    {},
    path(whole, lit),
    ...ripples,
    path(
      shadow,
      defs.linear([
        [0, mix(base, palette.near, 0.5)],
        [1, mix(base, palette.near, 0.16)],
      ]),
    ),
  );
}

function pyramids(stage: Stage): Markup {
  const { frame, palette, unit } = stage;
  const prng = stage.prng.fork('pyramids');
  return group(
    {},
    ...[
      [0.3, 30],
      [0.52, 22],
      [0.68, 15],
    ].map(([at, size]) => {
      const x = frame.x + frame.w * ((at ?? 0) + prng.range(-0.03, 0.03));
      const h = unit * (size ?? 0);
      const y = below(stage, 0.56);
      const split = h * 0.3;
      return (
        path(
          polygon([
            [x - h, y],
            [x, y - h],
            [x + split, y],
          ]),
          mix(palette.far, palette.light, 0.25),
        ) +
        path(
          polygon([
            [x, y - h],
            [x + h * 0.95, y],
            [x + split, y],
          ]),
          palette.depth(0.42),
        )
      );
    }),
  );
}

function cacti(stage: Stage): Markup {
  const { frame, palette, unit } = stage;
  const prng = stage.prng.fork('cacti');
  const tint = mix(palette.second, palette.near, 0.45);
  return group(
    {},
    ...[0.16, 0.82].slice(0, prng.int(1, 2)).map((at) => {
      const x = frame.x + frame.w * (at + prng.range(-0.05, 0.05));
      const y = below(stage, 0.88);
      const h = unit * prng.range(22, 32);
      const w = h * 0.13;
      const arm = (side: number, up: number, reach: number): Markup =>
        line(
          new Pen()
            .to(x, y - h * up)
            .line(x + side * h * 0.12, y - h * up)
            .quad(x + side * h * 0.22, y - h * up, x + side * h * 0.22, y - h * (up + 0.1))
            .line(x + side * h * 0.22, y - h * (up + reach))
            .toString(),
          tint,
          w * 0.75,
        );
      const ribs = [-0.22, 0.22].map((dx) =>
        line(
          new Pen()
            .to(x + w * dx, y - h * 0.92)
            .line(x + w * dx, y)
            .toString(),
          palette.near,
          Math.max(0.4, w * 0.07),
          { opacity: 0.5 },
        ),
      );
      return group(
        {},
        line(
          new Pen()
            .to(x, y - h + w / 2)
            .line(x, y)
            .toString(),
          tint,
          w,
        ),
        arm(-1, 0.36, 0.3),
        arm(1, 0.5, 0.24),
        ...ribs,
        circle(x, y - h, w * 0.28, palette.accent),
        rect(x - w, y - 1, w * 2, unit * 0.6, palette.near, { opacity: 0.25 }),
      );
    }),
  );
}
