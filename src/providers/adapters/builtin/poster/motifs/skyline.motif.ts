import { mix } from '../colour.js';
import { lerp, Pen, polygon } from '../geometry.js';
import type { Motif, Stage } from '../stage.js';
import { circle, group, line, path, rect, type Markup } from '../svg.js';
import { below, bottomOf, luminary, sky, stars, weather } from './scenery.js';

const LAYERS = 4;

/** Blocks of a city, row before row, with lit windows in the nearer ones. */
export const skyline: Motif = {
  name: 'skyline',
  carriesLettering: true,
  ground: (stage) => sky(stage, 0.85) + (stage.palette.dark ? stars(stage, 0.8, below(stage, 0.5)) : ''),
  figures: (stage) => {
    const disc = luminary(stage, { y: below(stage, 0.28), radius: stage.unit * 17 });
    return group({}, disc.markup, ...Array.from({ length: LAYERS }, (_, i) => row(stage, i)), weather(stage));
  },
};

function row(stage: Stage, layer: number): Markup {
  const { frame, palette, unit, defs } = stage;
  const prng = stage.prng.fork(`street${layer}`);
  const t = layer / (LAYERS - 1);
  const ground = bottomOf(frame) + 1;
  const room = ground - stage.calm;
  const body = palette.depth(lerp(0.1, 1, t));
  const out: Markup[] = [];
  for (let x = frame.x - unit * 3; x < frame.x + frame.w;) {
    const w = unit * prng.range(7, 15) * lerp(0.8, 1.15, t);
    const h = room * lerp(0.62, 0.3, t) * prng.range(0.45, 1) * (prng.chance(0.14) ? 1.22 : 1);
    out.push(tower(stage, { x, w, top: ground - h, ground, body, t, label: `${layer}.${out.length}` }));
    x += w + unit * (prng.chance(0.2) ? prng.range(0.5, 2.5) : 0);
  }
  const haze = defs.linear([
    [0, palette.sky[2], 0],
    [1, palette.sky[2], lerp(0.5, 0.1, t)],
  ]);
  return group({}, ...out, t < 1 ? rect(frame.x, ground - room * 0.5, frame.w, room * 0.5, haze) : '');
}

interface Tower {
  readonly x: number;
  readonly w: number;
  readonly top: number;
  readonly ground: number;
  readonly body: string;
  /** Depth, 0 far to 1 near. */
  readonly t: number;
  readonly label: string;
}

function tower(stage: Stage, tower: Tower): Markup {
  const { palette, unit } = stage;
  const { x, w, top, ground, body, t } = tower;
  const prng = stage.prng.fork(`tower${tower.label}`);
  const roof = prng.pick(['flat', 'flat', 'step', 'spire', 'slant', 'dome', 'tank'] as const);
  const cx = x + w / 2;
  const extra: Markup[] = [];
  if (roof === 'step')
    extra.push(
      rect(x + w * 0.18, top - unit * 3, w * 0.64, unit * 3.2, body),
      rect(x + w * 0.34, top - unit * 5.4, w * 0.32, unit * 2.6, body),
    );
  if (roof === 'spire')
    extra.push(
      path(
        polygon([
          [x + w * 0.2, top + 0.5],
          [cx, top - unit * 6],
          [x + w * 0.8, top + 0.5],
        ]),
        body,
      ),
      line(
        new Pen()
          .to(cx, top - unit * 11)
          .line(cx, top - unit * 4)
          .toString(),
        body,
        Math.max(0.5, unit * 0.5),
      ),
    );
  if (roof === 'slant')
    extra.push(
      path(
        polygon([
          [x, top + 0.5],
          [x, top - unit * 4.5],
          [x + w, top + 0.5],
        ]),
        body,
      ),
    );
  if (roof === 'dome')
    extra.push(
      path(
        new Pen()
          .to(x + w * 0.1, top + 0.5)
          .arc(w * 0.4, false, true, x + w * 0.9, top + 0.5)
          .close()
          .toString(),
        body,
      ),
    );
  if (roof === 'tank' && t > 0.5)
    extra.push(
      rect(cx - unit * 1.8, top - unit * 4, unit * 3.6, unit * 2.6, body),
      path(
        polygon([
          [cx - unit * 2.1, top - unit * 3.9],
          [cx, top - unit * 5.6],
          [cx + unit * 2.1, top - unit * 3.9],
        ]),
        body,
      ),
      rect(cx - unit * 1.3, top - unit * 2, unit * 0.4, unit * 2.2, body),
      rect(cx + unit * 0.9, top - unit * 2, unit * 0.4, unit * 2.2, body),
    );
  const side = rect(x + w * 0.66, top, w * 0.34, ground - top, mix(body, palette.near, 0.22), {
    opacity: t > 0.2 ? 1 : 0.5,
  });
  return group(
    {},
    ...extra,
    rect(x, top, w, ground - top, body),
    side,
    t > 0.25 ? windows(stage, tower, prng.next(), prng.next()) : '',
    t > 0.6 && prng.chance(0.3) ? circle(cx, top - unit * 0.5, unit * 0.55, palette.accent) : '',
  );
}

function windows(stage: Stage, { x, w, top, ground, body, t, label }: Tower, style: number, density: number): Markup {
  const { palette, unit } = stage;
  const prng = stage.prng.fork(`windows${label}`);
  const lit = palette.dark || palette.sky[0] !== palette.sky[2];
  const gap = (unit * lerp(2, 2.6, t)) / Math.sqrt(stage.detail);
  const cols = Math.max(1, Math.floor((w - unit * 1.6) / gap));
  const rows = Math.min(40, Math.floor((ground - top - unit * 2) / (gap * 1.2)));
  const solid = lerp(0.55, 0.95, t);
  const tint = mix(body, mix(palette.light, palette.third, 0.35), solid);
  const dull = mix(body, palette.sky[2], 0.16 * solid);
  const left = x + (w - cols * gap) / 2;
  const out: Markup[] = [];
  for (let r = 0; r < rows; r++) {
    const y = top + unit * 1.8 + r * gap * 1.2;
    if (style > 0.8) {
      if (prng.chance(0.75))
        out.push(
          rect(left, y, cols * gap - gap * 0.35, gap * 0.42, prng.chance(0.4 * density + 0.15) && lit ? tint : dull),
        );
      continue;
    }
    for (let c = 0; c < cols; c++) {
      const on = prng.chance(lerp(0.16, 0.55, density)) && lit;
      if (!on && !prng.chance(0.5)) continue;
      out.push(
        rect(
          left + c * gap + gap * 0.2,
          y,
          gap * (style > 0.4 ? 0.34 : 0.6),
          gap * 0.66,
          on ? (prng.chance(0.08) ? palette.accent : tint) : dull,
        ),
      );
    }
  }
  return group({}, ...out);
}
