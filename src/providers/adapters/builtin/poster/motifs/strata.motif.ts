import { mix } from '../colour.js';
import { lerp, Pen, smoothThrough, type Point } from '../geometry.js';
import type { Motif, Stage } from '../stage.js';
import { group, line, path, rect, type Markup } from '../svg.js';
import { bottomOf } from './scenery.js';

/** Parallel lines that swell into ridges, each hiding the one behind it. */
export const strata: Motif = {
  name: 'strata',
  carriesLettering: false,
  ground: (stage) => rect(stage.frame.x, stage.frame.y, stage.frame.w, stage.frame.h, groundOf(stage)),
  figures: (stage) => {
    const { frame, palette, unit } = stage;
    const prng = stage.prng.fork('strata');
    const filled = prng.chance(0.5);
    const count = Math.round(filled ? 16 * Math.sqrt(stage.detail) : 30 * Math.sqrt(stage.detail));
    const steps = Math.round(Math.min(160, 46 * Math.max(1, frame.w / frame.h) * Math.sqrt(stage.detail)));
    const bumps = Array.from({ length: 5 }, () => ({
      at: prng.range(0.22, 0.78),
      wide: prng.range(0.04, 0.11),
      high: prng.range(0.4, 1),
      drift: prng.range(-0.12, 0.12),
    }));
    const side = filled ? 0 : unit * 9;
    const ground = groundOf(stage);
    const out: Markup[] = [];
    for (let i = 0; i < count; i++) {
      const t = i / (count - 1);
      const y = lerp(frame.y + frame.h * 0.3, bottomOf(frame) - (filled ? frame.h * 0.04 : unit * 9), t);
      const noise = prng.fork(`line${i}`);
      const points = Array.from({ length: steps + 1 }, (_, k): Point => {
        const u = k / steps;
        const hill = bumps.reduce((sum, b) => sum + b.high * Math.exp(-(((u - b.at - b.drift * t) / b.wide) ** 2)), 0);
        const rough = (noise.next() - 0.5) * 0.34 * Math.min(1, hill * 1.4 + 0.04);
        return [
          lerp(frame.x + side, frame.x + frame.w - side, u),
          y - frame.h * (filled ? 0.16 : 0.095) * (hill * (0.55 + 0.45 * Math.sin(t * 9 + 1)) + rough),
        ];
      });
      const curve = smoothThrough(new Pen(), points).toString();
      const fill = filled ? tint(stage, t) : ground;
      const floor = filled ? bottomOf(frame) + 1 : y + unit * 2;
      const area = smoothThrough(new Pen().to(points[0]?.[0] ?? 0, floor), points, 'line')
        .line(points.at(-1)?.[0] ?? 0, floor)
        .close()
        .toString();
      out.push(path(area, fill));
      if (!filled)
        out.push(
          line(
            curve,
            i % 9 === 4 ? palette.accent : palette.dark ? palette.light : palette.near,
            Math.max(0.6, unit * 0.5),
          ),
        );
    }
    return group({}, ...out);
  },
};

const groundOf = ({ palette }: Stage): string =>
  palette.dark ? palette.sky[0] : mix(palette.paper, palette.far, 0.16);

const tint = (stage: Stage, t: number): string => {
  const { palette } = stage;
  const stops = [palette.light, palette.third, palette.accent, palette.second, palette.near];
  const at = t * (stops.length - 1);
  const i = Math.min(stops.length - 2, Math.floor(at));
  return mix(stops[i] ?? palette.light, stops[i + 1] ?? palette.near, at - i);
};
