import { mix } from '../colour.js';
import { lerp, Pen } from '../geometry.js';
import type { Motif, Stage } from '../stage.js';
import { circle, group, path, rect, type Markup } from '../svg.js';
import { bottomOf } from './scenery.js';

/** Concentric discs, arches and a horizon of stripes. */
export const rings: Motif = {
  name: 'rings',
  carriesLettering: false,
  ground: ({ frame, palette, defs }) => {
    const tone = palette.dark ? palette.sky[0] : mix(palette.paper, palette.far, 0.18);
    return rect(
      frame.x,
      frame.y,
      frame.w,
      frame.h,
      defs.linear([
        [0, tone],
        [1, palette.dark ? palette.sky[1] : mix(tone, palette.third, 0.2)],
      ]),
    );
  },
  figures: (stage) => {
    const style = stage.prng.fork('style').pick(['sun', 'arches', 'ripples'] as const);
    return style === 'sun' ? sunset(stage) : style === 'arches' ? arches(stage) : ripples(stage);
  },
};

const ramp = (stage: Stage, t: number): string => {
  const { palette } = stage;
  const stops = [palette.light, palette.third, palette.accent, mix(palette.accent, palette.near, 0.45), palette.near];
  const at = t * (stops.length - 1);
  const i = Math.min(stops.length - 2, Math.floor(at));
  return mix(stops[i] ?? palette.light, stops[i + 1] ?? palette.near, at - i);
};

/** A disc of rings that sinks into a striped sea. */
function sunset(stage: Stage): Markup {
  const { frame, palette, unit, defs } = stage;
  const prng = stage.prng.fork('sun');
  const horizon = frame.y + frame.h * prng.range(0.62, 0.7);
  const cx = frame.x + frame.w * prng.pick([0.5, 0.5, 0.38, 0.62]);
  const radius = Math.min(unit * 44, (horizon - frame.y) * 0.86);
  const count = Math.round(lerp(5, 9, Math.min(1, stage.detail * 0.6)));
  const above = defs.clip(rect(frame.x, frame.y, frame.w, horizon - frame.y, '#000000'));
  const discs = Array.from({ length: count }, (_, i) =>
    circle(cx, horizon, radius * (1 - i / count), ramp(stage, 1 - (i + 0.6) / count)),
  );
  const sea = rect(frame.x, horizon, frame.w, bottomOf(frame) - horizon + 1, palette.near);
  const stripes = Array.from({ length: 12 }, (_, i) => {
    const t = (i + 0.5) / 12;
    const half = radius * lerp(1, 0.3, t) * prng.range(0.8, 1.05);
    const h = unit * lerp(0.9, 2, t);
    return rect(
      cx - half,
      lerp(horizon + unit, bottomOf(frame), t ** 1.15),
      half * 2,
      h,
      ramp(stage, lerp(0.1, 0.62, t)),
      { rx: h / 2 },
    );
  });
  return group({}, group({ 'clip-path': above }, ...discs), sea, ...stripes);
}

/** Nested arches, side by side, with balls that rest on them. */
function arches(stage: Stage): Markup {
  const { frame, palette } = stage;
  const prng = stage.prng.fork('arches');
  const cols = Math.max(1, Math.round((frame.w / frame.h) * 2.6));
  const w = frame.w / cols;
  const rows = Math.max(1, Math.round(frame.h / (w * 1.15)));
  const h = frame.h / rows;
  const out: Markup[] = [];
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < cols; c++) {
      const cx = frame.x + (c + 0.5) * w;
      const foot = frame.y + (r + 1) * h;
      const tones = prng.shuffle([palette.accent, palette.second, palette.third, palette.near, palette.light]);
      const count = prng.int(3, 5);
      for (let i = 0; i < count; i++) {
        const half = (w / 2) * 0.94 * (1 - i / count);
        const top = Math.max(frame.y + r * h + h * 0.05 + half, foot - h * 0.95 + half + (w / 2) * 0.94 * (i / count));
        out.push(
          path(
            new Pen()
              .to(cx - half, foot)
              .line(cx - half, top)
              .arc(half, false, true, cx + half, top)
              .line(cx + half, foot)
              .close()
              .toString(),
            tones[i % tones.length] ?? palette.accent,
          ),
        );
      }
      if (prng.chance(0.5))
        out.push(
          circle(cx, foot - (w / count) * 0.28, (w / count) * 0.28, tones[(count + 1) % tones.length] ?? palette.light),
        );
    }
  }
  return group({}, ...out);
}

/** Rings that spread from two or three stones, laid over each other. */
function ripples(stage: Stage): Markup {
  const { frame, palette, unit } = stage;
  const prng = stage.prng.fork('ripples');
  const spots: readonly (readonly [number, number, number])[] = [
    [0.3, 0.3, 46],
    [0.74, 0.72, 40],
    [0.82, 0.16, 22],
  ];
  const lean = prng.sign();
  return group(
    {},
    ...spots.map(([fx, fy, size], k) => {
      const x = frame.x + frame.w * (lean === 1 ? fx : 1 - fx);
      const y = frame.y + frame.h * (fy + prng.range(-0.05, 0.05));
      const count = Math.round((size / 5) * Math.sqrt(stage.detail));
      const tones = [
        [palette.accent, palette.third, palette.light],
        [palette.second, palette.near, palette.third],
        [palette.third, palette.accent, palette.near],
      ][k] ?? [palette.accent];
      return group(
        {},
        ...Array.from({ length: count }, (_, i) =>
          circle(x, y, unit * size * (1 - i / count), tones[i % tones.length] ?? palette.accent),
        ),
      );
    }),
  );
}
