import { mix, shade } from '../colour.js';
import { lerp, Pen, polar, smoothThrough, type Point } from '../geometry.js';
import type { Motif, Stage } from '../stage.js';
import { circle, el, group, line, path, rect, type Markup } from '../svg.js';
import { below, bottomOf, sparkle, stars } from './scenery.js';

/** A large banded planet, its orbits and moons among stars. */
export const cosmos: Motif = {
  name: 'cosmos',
  carriesLettering: true,
  ground: (stage) => {
    const { frame, palette, defs } = stage;
    const prng = stage.prng.fork('nebula');
    const fill = defs.linear([
      [0, palette.sky[0]],
      [0.6, palette.sky[1]],
      [1, palette.sky[2]],
    ]);
    const clouds = Array.from({ length: 5 }, () => {
      const glow = defs.radial([
        [0, prng.pick([palette.far, palette.second, palette.third, palette.sky[2]]), 0.34],
        [1, palette.sky[1], 0],
      ]);
      const y = lerp(stage.calm, bottomOf(frame), prng.range(0.3, 1));
      return circle(
        frame.x + frame.w * prng.next(),
        y,
        stage.unit * prng.range(26, Math.max(27, Math.min(52, (y - stage.calm) / stage.unit))),
        glow,
      );
    });
    return group({}, rect(frame.x, frame.y, frame.w, frame.h, fill), ...clouds, stars(stage, 2.6, bottomOf(frame)));
  },
  figures: (stage) => {
    const { frame, palette, unit } = stage;
    const prng = stage.prng.fork('planet');
    const room = Math.min(frame.w, bottomOf(frame) - stage.calm);
    const r = room * prng.range(0.23, 0.29);
    const cx = frame.x + frame.w * prng.range(0.4, 0.6);
    const cy = below(stage, prng.range(0.48, 0.56));
    const tilt = prng.range(-26, -12);
    const orbits = [1.75, 2.25, 2.85].map((k, i) => orbit(stage, cx, cy, r * k, tilt, i));
    const ringed = prng.chance(0.7);
    return group(
      {},
      ...orbits,
      ringed ? ring(stage, cx, cy, r, tilt, 'behind') : '',
      planet(stage, cx, cy, r, tilt),
      ringed ? ring(stage, cx, cy, r, tilt, 'front') : '',
      ...[0, 1, 2].map(() =>
        path(
          sparkle(
            frame.x + frame.w * prng.range(0.08, 0.92),
            below(stage, prng.range(0.05, 0.95)),
            unit * prng.range(1.4, 3),
          ),
          palette.light,
        ),
      ),
      stage.tags.has('rocket') ? rocket(stage) : '',
    );
  },
};

function planet(stage: Stage, cx: number, cy: number, r: number, tilt: number): Markup {
  const { palette, defs } = stage;
  const prng = stage.prng.fork('bands');
  const base = prng.pick([palette.accent, palette.second, palette.third]);
  const other = prng.pick([palette.light, palette.third, palette.accent].filter((c) => c !== base));
  const bands: Markup[] = [];
  const count = Math.round(7 + 2 * stage.detail);
  for (let i = 0; i < count; i++) {
    const y = cy - r + (2 * r * (i + prng.range(-0.25, 0.25))) / count;
    const points = Array.from({ length: 7 }, (_, k): Point => [
      cx - r * 1.1 + (r * 2.2 * k) / 6,
      y + Math.sin(k * 1.3 + i * 2) * r * 0.035,
    ]);
    const h = (r / count) * prng.range(0.5, 2);
    const lower = points.map(([px, py]): Point => [px, py + h]).toReversed();
    bands.push(
      path(
        smoothThrough(smoothThrough(new Pen(), points), lower, 'line').close().toString(),
        i % 2 === 0 ? mix(base, other, prng.range(0.2, 0.7)) : shade(base, prng.range(-0.12, 0.04)),
      ),
    );
  }
  const spot = el('ellipse', {
    cx: cx + r * 0.3,
    cy: cy + r * 0.28,
    rx: r * 0.22,
    ry: r * 0.11,
    fill: mix(base, palette.near, 0.35),
  });
  const clip = defs.clip(circle(cx, cy, r, '#000000'));
  const light = defs.radial(
    [
      [0, palette.light, 0.32],
      [0.5, palette.light, 0],
      [0.62, palette.near, 0],
      [1, palette.near, 0.82],
    ],
    0.33,
    0.3,
    0.78,
  );
  const glow = defs.radial([
    [0.62, base, 0.42],
    [1, base, 0],
  ]);
  const turned = group(
    { transform: `rotate(${Math.round(tilt)} ${Math.round(cx)} ${Math.round(cy)})` },
    ...bands,
    spot,
  );
  return group(
    {},
    circle(cx, cy, r * 1.45, glow),
    group({ 'clip-path': clip }, circle(cx, cy, r, base), turned, circle(cx, cy, r * 1.01, light)),
  );
}

/** One half of the ring as a filled crescent band, so that the planet passes through it. */
function ring(stage: Stage, cx: number, cy: number, r: number, tilt: number, half: 'behind' | 'front'): Markup {
  const { palette } = stage;
  const bands: readonly (readonly [number, number, string, number])[] = [
    [1.38, 1.56, palette.third, 0.9],
    [1.6, 1.86, palette.light, 0.75],
    [1.9, 1.98, palette.accent, 0.8],
  ];
  const sweep = half === 'front' ? 0 : 1;
  const arcs = bands.map(([inner, outer, colour, opacity]) => {
    const [a, b] = [r * inner, r * outer];
    const flat = 0.24;
    const data =
      `M${Math.round(cx - b)} ${Math.round(cy)}A${Math.round(b)} ${Math.round(b * flat)} 0 0 ${sweep} ` +
      `${Math.round(cx + b)} ${Math.round(cy)}L${Math.round(cx + a)} ${Math.round(cy)}A${Math.round(a)} ` +
      `${Math.round(a * flat)} 0 0 ${1 - sweep} ${Math.round(cx - a)} ${Math.round(cy)}Z`;
    return path(data, half === 'behind' ? mix(colour, palette.near, 0.35) : colour, { opacity });
  });
  return group({ transform: `rotate(${Math.round(tilt)} ${Math.round(cx)} ${Math.round(cy)})` }, ...arcs);
}

function orbit(stage: Stage, cx: number, cy: number, radius: number, tilt: number, i: number): Markup {
  const { palette, unit } = stage;
  const prng = stage.prng.fork(`orbit${i}`);
  const flat = 0.42;
  const angle = prng.range(0, 360);
  const [dx, dy] = polar(0, 0, radius, angle);
  const r = unit * prng.range(1.6, 3.6);
  const colour = prng.pick([palette.third, palette.second, palette.light, palette.accent]);
  const path_ = el('ellipse', {
    cx,
    cy,
    rx: radius,
    ry: radius * flat,
    fill: 'none',
    stroke: palette.light,
    'stroke-width': Math.max(0.4, unit * 0.22),
    'stroke-dasharray': i === 1 ? `${(unit * 1.1).toFixed(1)} ${(unit * 1.3).toFixed(1)}` : undefined,
    'stroke-opacity': 0.42,
  });
  const moon =
    circle(cx + dx, cy + dy * flat, r, colour) +
    circle(cx + dx + r * 0.28, cy + dy * flat + r * 0.22, r * 0.72, mix(colour, palette.near, 0.22));
  return group({ transform: `rotate(${Math.round(tilt)} ${Math.round(cx)} ${Math.round(cy)})` }, path_, moon);
}

function rocket(stage: Stage): Markup {
  const { frame, palette, unit } = stage;
  const x = frame.x + frame.w * 0.2;
  const y = below(stage, 0.8);
  const s = unit * 7;
  const body = new Pen()
    .to(x, y - s * 2)
    .cubic(x + s * 0.8, y - s * 1.2, x + s * 0.7, y, x + s * 0.42, y + s * 0.6)
    .line(x - s * 0.42, y + s * 0.6)
    .cubic(x - s * 0.7, y, x - s * 0.8, y - s * 1.2, x, y - s * 2)
    .close()
    .toString();
  const fin = (side: number): string =>
    new Pen()
      .to(x + side * s * 0.5, y - s * 0.1)
      .quad(x + side * s * 1.15, y + s * 0.3, x + side * s * 0.95, y + s * 1.05)
      .line(x + side * s * 0.4, y + s * 0.55)
      .close()
      .toString();
  const flame = new Pen()
    .to(x - s * 0.34, y + s * 0.66)
    .quad(x - s * 0.2, y + s * 1.5, x, y + s * 2.1)
    .quad(x + s * 0.2, y + s * 1.5, x + s * 0.34, y + s * 0.66)
    .close()
    .toString();
  const tip = new Pen()
    .to(x, y - s * 2)
    .quad(x + s * 0.42, y - s * 1.6, x + s * 0.54, y - s * 1.05)
    .line(x - s * 0.54, y - s * 1.05)
    .quad(x - s * 0.42, y - s * 1.6, x, y - s * 2)
    .close()
    .toString();
  const hull = mix(palette.light, '#ffffff', 0.4);
  return group(
    { transform: `rotate(24 ${Math.round(x)} ${Math.round(y)})` },
    path(flame, palette.third),
    path(fin(1), palette.accent),
    path(fin(-1), palette.accent),
    path(body, hull),
    path(tip, palette.accent),
    circle(x, y - s * 0.45, s * 0.32, palette.near),
    circle(x, y - s * 0.45, s * 0.21, palette.second),
    line(
      new Pen()
        .to(x - s * 0.38, y + s * 0.5)
        .line(x + s * 0.38, y + s * 0.5)
        .toString(),
      palette.near,
      s * 0.09,
    ),
  );
}
