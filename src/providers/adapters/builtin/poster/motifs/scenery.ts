import { mix } from '../colour.js';
import { lerp, Pen, type Point, type Rect } from '../geometry.js';
import type { Stage } from '../stage.js';
import { circle, group, line, path, rect, type Markup } from '../svg.js';

export const bottomOf = (frame: Rect): number => frame.y + frame.h;

/** The y at `t` of the way from the calm zone's end to the frame's bottom. */
export const below = (stage: Stage, t: number): number => lerp(stage.calm, bottomOf(stage.frame), t);

export function sky(stage: Stage, horizon = 0.72): Markup {
  const { frame, palette, defs } = stage;
  const fill = defs.linear([
    [0, palette.sky[0]],
    [horizon * 0.55, palette.sky[1]],
    [horizon, palette.sky[2]],
    [1, palette.sky[2]],
  ]);
  return rect(frame.x, frame.y, frame.w, frame.h, fill);
}

/** A sun, or a moon with a shadow, and its halo. Returns its position, for reflections. */
export function luminary(
  stage: Stage,
  at: { readonly y: number; readonly radius?: number; readonly x?: number },
): { readonly markup: Markup; readonly x: number; readonly r: number } {
  const { frame, palette, defs, tags } = stage;
  const prng = stage.prng.fork('luminary');
  const r = at.radius ?? stage.unit * prng.range(11, 16);
  const x = at.x ?? frame.x + frame.w * prng.pick([0.28, 0.36, 0.62, 0.7]);
  const y = Math.max(at.y, stage.calm + r * 1.15);
  const moon = tags.has('moon') || (palette.dark && !tags.has('sun'));
  const halo = defs.radial([
    [0, palette.light, 0.5],
    [0.45, palette.light, 0.16],
    [1, palette.light, 0],
  ]);
  const body = moon ? mix(palette.light, '#ffffff', 0.35) : palette.light;
  const seas = moon
    ? [
        [-0.32, -0.22, 0.2],
        [0.24, 0.16, 0.27],
        [-0.18, 0.42, 0.13],
        [0.34, -0.36, 0.12],
      ].map(([dx, dy, s]) =>
        circle(x + r * (dx ?? 0), y + r * (dy ?? 0), r * (s ?? 0), mix(body, palette.sky[1], 0.22)),
      )
    : [];
  return { x, r, markup: group({}, circle(x, y, r * 2.6, halo), circle(x, y, r, body), ...seas) };
}

export function stars(stage: Stage, share: number, until: number): Markup {
  const { frame, palette } = stage;
  const prng = stage.prng.fork('stars');
  const count = Math.round(90 * share * stage.detail * Math.min(2.5, Math.max(frame.w / frame.h, frame.h / frame.w)));
  const out: Markup[] = [];
  for (let i = 0; i < count; i++) {
    const x = frame.x + prng.next() * frame.w;
    const y = lerp(stage.calm, until, prng.next() ** 1.25);
    const bright = prng.next();
    const r = stage.unit * lerp(0.12, 0.42, bright ** 4);
    out.push(circle(x, y, r, palette.light, { opacity: lerp(0.35, 1, bright) }));
    if (bright > 0.965) out.push(path(sparkle(x, y, r * 5), palette.light));
  }
  return group({}, ...out);
}

/** A four-pointed star. */
export function sparkle(x: number, y: number, r: number): string {
  return new Pen()
    .to(x, y - r)
    .quad(x, y, x + r, y)
    .quad(x, y, x, y + r)
    .quad(x, y, x - r, y)
    .quad(x, y, x, y - r)
    .close()
    .toString();
}

export function birds(stage: Stage, around: Point, colour: string): Markup {
  const prng = stage.prng.fork('birds');
  const out: Markup[] = [];
  for (let i = 0, n = prng.int(4, 7); i < n; i++) {
    const s = stage.unit * prng.range(1.4, 2.6);
    const x = around[0] + stage.unit * prng.range(-16, 16);
    const y = Math.max(stage.calm + s * 2, around[1] + stage.unit * prng.range(-7, 7));
    out.push(
      line(
        new Pen()
          .to(x - s, y - s * 0.35)
          .quad(x - s * 0.4, y - s * 0.5, x, y)
          .quad(x + s * 0.4, y - s * 0.5, x + s, y - s * 0.35)
          .toString(),
        colour,
        Math.max(0.5, stage.unit * 0.42),
      ),
    );
  }
  return group({}, ...out);
}

/** Rain as slanting strokes, snow as dots; only where the prompt names them. */
export function weather(stage: Stage): Markup {
  const { frame, palette } = stage;
  const prng = stage.prng.fork('weather');
  const out: Markup[] = [];
  const count = Math.round(110 * stage.detail);
  const rain = stage.tags.has('rain');
  if (!rain && !stage.tags.has('snow')) return '';
  for (let i = 0; i < count; i++) {
    const x = frame.x + prng.next() * frame.w;
    const y = lerp(stage.calm, bottomOf(frame), prng.next());
    const s = stage.unit * prng.range(0.5, 1);
    const tint = mix(palette.sky[2], '#ffffff', 0.6);
    out.push(
      rain
        ? line(
            new Pen()
              .to(x, y)
              .line(x - s * 1.2, y + s * 5)
              .toString(),
            tint,
            Math.max(0.4, s * 0.3),
            { opacity: 0.45 },
          )
        : circle(x, y, s * 0.75, '#ffffff', { opacity: prng.range(0.55, 0.95) }),
    );
  }
  return group({}, ...out);
}

/** A conifer with its foot at (x, y). */
export function conifer(x: number, y: number, height: number, tiers: number, colour: string): Markup {
  const half = height * 0.24;
  const pen = new Pen().to(x, y - height);
  for (let i = 1; i <= tiers; i++)
    pen
      .line(x + half * (i / tiers), y - height * (1 - i / tiers) - height * 0.06)
      .line(x + half * (i / tiers) * 0.55, y - height * (1 - i / tiers) - height * 0.09);
  pen
    .line(x + half * 0.16, y - height * 0.08)
    .line(x + half * 0.16, y + height * 0.03)
    .line(x - half * 0.16, y + height * 0.03)
    .line(x - half * 0.16, y - height * 0.08);
  for (let i = tiers; i >= 1; i--)
    pen
      .line(x - half * (i / tiers) * 0.55, y - height * (1 - i / tiers) - height * 0.09)
      .line(x - half * (i / tiers), y - height * (1 - i / tiers) - height * 0.06);
  return path(pen.close().toString(), colour);
}

export function cottage(stage: Stage, x: number, y: number, size: number): Markup {
  const { palette } = stage;
  const wall = mix(palette.paper, palette.light, 0.4);
  const roof = palette.accent;
  const side = mix(wall, palette.near, 0.28);
  const body =
    rect(x - size * 0.5, y - size * 0.55, size, size * 0.58, wall) +
    rect(x + size * 0.5, y - size * 0.55, size * 0.42, size * 0.58, side);
  const gable = path(
    new Pen()
      .to(x - size * 0.56, y - size * 0.53)
      .line(x, y - size)
      .line(x + size * 0.5, y - size * 0.53)
      .close()
      .toString(),
    wall,
  );
  const slope = path(
    new Pen()
      .to(x, y - size)
      .line(x + size * 0.46, y - size)
      .line(x + size * 0.98, y - size * 0.5)
      .line(x + size * 0.52, y - size * 0.5)
      .close()
      .toString(),
    roof,
  );
  const chimney = rect(x + size * 0.36, y - size * 1.2, size * 0.13, size * 0.3, mix(roof, palette.near, 0.4));
  const eave = line(
    new Pen()
      .to(x - size * 0.56, y - size * 0.5)
      .line(x, y - size)
      .toString(),
    mix(roof, palette.near, 0.25),
    size * 0.07,
  );
  const door =
    rect(x - size * 0.12, y - size * 0.32, size * 0.22, size * 0.35, palette.near) +
    rect(x - size * 0.38, y - size * 0.38, size * 0.16, size * 0.16, palette.third) +
    rect(x + size * 0.63, y - size * 0.38, size * 0.16, size * 0.16, palette.third);
  return group({}, chimney, body, gable, slope, eave, door);
}
