import { mix } from '../colour.js';
import { lerp, Pen, polar, type Point } from '../geometry.js';
import type { Prng } from '../prng.js';
import { circle, group, line, path, type Markup } from '../svg.js';

/** A pointed leaf from its stalk at (x, y), `angle` in degrees, with a darker half and a rib. */
export function leaf(at: Point, length: number, breadth: number, angle: number, colour: string, dark: string): Markup {
  const [x, y] = at;
  const [tx, ty] = polar(x, y, length, angle);
  const side = (s: number): [number, number, number, number] => {
    const [ax, ay] = polar(x, y, length * 0.3, angle);
    const [bx, by] = polar(x, y, length * 0.72, angle);
    const [ox, oy] = polar(0, 0, breadth * s, angle + 90);
    return [ax + ox, ay + oy, bx + ox * 0.8, by + oy * 0.8];
  };
  const a = side(1);
  const b = side(-1);
  const whole = new Pen()
    .to(x, y)
    .cubic(a[0], a[1], a[2], a[3], tx, ty)
    .cubic(b[2], b[3], b[0], b[1], x, y)
    .close()
    .toString();
  const half = new Pen().to(x, y).cubic(a[0], a[1], a[2], a[3], tx, ty).close().toString();
  const rib = new Pen()
    .to(x, y)
    .line(lerp(x, tx, 0.86), lerp(y, ty, 0.86))
    .toString();
  return group(
    {},
    path(whole, colour),
    path(half, mix(colour, dark, 0.2)),
    line(rib, mix(colour, dark, 0.45), Math.max(0.4, length * 0.022)),
  );
}

export interface StemStyle {
  readonly colour: string;
  readonly leaf: string;
  readonly dark: string;
  readonly berry: string;
  readonly kind: 'pointed' | 'round' | 'fern' | 'berries' | 'fan';
}

/** A stem from foot to tip with leaves in pairs; returns the tip for a bloom. */
export function stem(prng: Prng, foot: Point, tip: Point, size: number, style: StemStyle, pairs: number): Markup {
  const bend = (tip[0] - foot[0]) * 0.5 + size * prng.range(-0.8, 0.8);
  const control: Point = [foot[0] + bend * 0.15, lerp(foot[1], tip[1], 0.6)];
  const at = (t: number): Point => [
    (1 - t) ** 2 * foot[0] + 2 * t * (1 - t) * control[0] + t * t * tip[0],
    (1 - t) ** 2 * foot[1] + 2 * t * (1 - t) * control[1] + t * t * tip[1],
  ];
  const heading = (t: number): number =>
    (Math.atan2(
      2 * (1 - t) * (control[1] - foot[1]) + 2 * t * (tip[1] - control[1]),
      2 * (1 - t) * (control[0] - foot[0]) + 2 * t * (tip[0] - control[0]),
    ) *
      180) /
    Math.PI;
  const out: Markup[] = [
    line(
      new Pen()
        .to(...foot)
        .quad(control[0], control[1], tip[0], tip[1])
        .toString(),
      style.colour,
      Math.max(0.6, size * 0.075),
    ),
  ];
  for (let i = 0; i < pairs; i++) {
    const t = lerp(0.28, 0.97, pairs === 1 ? 0.5 : i / (pairs - 1));
    const length = size * lerp(1.15, 0.6, t) * prng.range(0.9, 1.12);
    const open = lerp(58, 34, t) + prng.range(-5, 5);
    for (const side of [-1, 1]) {
      const spot = at(Math.min(1, t + (side === 1 ? 0.02 : 0)));
      out.push(bladeOf(style, spot, length, heading(t) + side * open));
    }
  }
  if (style.kind !== 'fan') out.push(bladeOf(style, at(1), size * 0.62, heading(1)));
  return group({}, ...out);
}

function bladeOf(style: StemStyle, at: Point, length: number, angle: number): Markup {
  const [x, y] = at;
  if (style.kind === 'pointed') return leaf(at, length, length * 0.27, angle, style.leaf, style.dark);
  if (style.kind === 'round') return leaf(at, length * 0.86, length * 0.52, angle, style.leaf, style.dark);
  if (style.kind === 'fern') return leaf(at, length * 0.95, length * 0.13, angle, style.leaf, style.dark);
  if (style.kind === 'fan') {
    return group(
      {},
      ...[-28, -9, 10, 28].map((turn) => leaf(at, length * 0.9, length * 0.1, angle + turn, style.leaf, style.dark)),
    );
  }
  const end = polar(x, y, length * 0.55, angle);
  return group(
    {},
    line(
      new Pen()
        .to(x, y)
        .line(...end)
        .toString(),
      style.colour,
      Math.max(0.4, length * 0.045),
    ),
    circle(end[0], end[1], length * 0.2, style.berry),
    circle(end[0] - length * 0.06, end[1] - length * 0.06, length * 0.06, mix(style.berry, '#ffffff', 0.55)),
  );
}
