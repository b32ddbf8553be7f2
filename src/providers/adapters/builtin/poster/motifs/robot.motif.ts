import { mix, shade } from '../colour.js';
import { Pen, polar, polygon } from '../geometry.js';
import type { Motif, Stage } from '../stage.js';
import { circle, el, group, line, path, rect, type Markup } from '../svg.js';
import { bottomOf } from './scenery.js';

/** The bust of a friendly machine before rays. */
export const robot: Motif = {
  name: 'robot',
  carriesLettering: false,
  ground: ({ frame, palette, defs }) => {
    const tone = palette.dark ? palette.sky[1] : palette.third;
    return rect(
      frame.x,
      frame.y,
      frame.w,
      frame.h,
      defs.linear([
        [0, mix(tone, palette.sky[1], 0.25)],
        [1, tone],
      ]),
    );
  },
  figures: (stage) => {
    const { frame } = stage;
    const cx = frame.x + frame.w / 2;
    // Scaled so that antenna and shoulders fit a frame of any shape.
    const s = Math.min(frame.h / 100, frame.w / 78);
    const floor = bottomOf(frame);
    return group({}, rays(stage, cx, floor - s * 52, s), bust(stage, cx, floor, s), head(stage, cx, floor - s * 52, s));
  },
};

function rays(stage: Stage, cx: number, cy: number, s: number): Markup {
  const { frame, palette } = stage;
  const reach = Math.hypot(frame.w, frame.h);
  const tone = palette.dark ? mix(palette.sky[1], palette.second, 0.22) : mix(palette.third, palette.paper, 0.34);
  const count = 18;
  const beams = Array.from({ length: count }, (_, i) =>
    path(
      polygon([[cx, cy], polar(cx, cy, reach, (360 * i) / count), polar(cx, cy, reach, (360 * (i + 0.5)) / count)]),
      tone,
    ),
  );
  return group({}, ...beams, circle(cx, cy, s * 38, palette.dark ? palette.accent : palette.paper, { opacity: 0.95 }));
}

function bust(stage: Stage, cx: number, floor: number, s: number): Markup {
  const { palette } = stage;
  const prng = stage.prng.fork('bust');
  const metal = palette.second;
  const dark = mix(metal, palette.near, 0.5);
  const top = floor - s * 24;
  const body = new Pen()
    .to(cx - s * 24, floor + s)
    .line(cx - s * 24, top + s * 9)
    .quad(cx - s * 24, top, cx - s * 15, top)
    .line(cx + s * 15, top)
    .quad(cx + s * 24, top, cx + s * 24, top + s * 9)
    .line(cx + s * 24, floor + s)
    .close()
    .toString();
  const arm = (side: number): Markup =>
    rect(cx + side * s * 30 - s * 4.5, top + s * 6, s * 9, s * 30, mix(metal, palette.near, 0.25), { rx: s * 4.5 }) +
    circle(cx + side * s * 26, top + s * 9, s * 6.4, palette.accent) +
    circle(cx + side * s * 26, top + s * 9, s * 2.6, dark);
  const gauges = [-1, 0, 1].map((i) =>
    circle(
      cx + i * s * 6,
      top + s * 19,
      s * 1.7,
      [palette.accent, palette.third, palette.light][i + 1] ?? palette.accent,
    ),
  );
  const turn = prng.range(-150, -30);
  const dial =
    circle(cx - s * 6, top + s * 10, s * 4.6, palette.light) +
    line(
      new Pen()
        .to(cx - s * 6, top + s * 10)
        .line(...polar(cx - s * 6, top + s * 10, s * 3.4, turn))
        .toString(),
      palette.accent,
      s * 0.8,
    ) +
    circle(cx - s * 6, top + s * 10, s * 0.8, palette.near);
  const bars = [0, 1, 2, 3].map((i) =>
    rect(
      cx + s * 1.5 + i * s * 2.7,
      top + s * (13.6 - prng.range(2, 7)),
      s * 1.7,
      s * 7,
      i === 2 ? palette.accent : palette.light,
      { rx: s * 0.5 },
    ),
  );
  const panel = rect(cx - s * 13.5, top + s * 4, s * 27, s * 22, dark, { rx: s * 2.4 });
  const clip = stage.defs.clip(rect(cx - s * 13.5, top + s * 4, s * 27, s * 10.6, '#000000'));
  return group(
    {},
    arm(-1),
    arm(1),
    rect(cx - s * 6, top - s * 7, s * 12, s * 9, dark),
    ...[0, 1, 2].map((i) => rect(cx - s * 7, top - s * (6 - i * 2.2), s * 14, s * 1.1, palette.near, { rx: s * 0.5 })),
    path(body, metal),
    path(
      new Pen()
        .to(cx + s * 16, top)
        .quad(cx + s * 24, top, cx + s * 24, top + s * 9)
        .line(cx + s * 24, floor + s)
        .line(cx + s * 16, floor + s)
        .close()
        .toString(),
      palette.near,
      { opacity: 0.2 },
    ),
    panel,
    group({ 'clip-path': clip }, ...bars),
    dial,
    ...gauges,
  );
}

function head(stage: Stage, cx: number, cy: number, s: number): Markup {
  const { palette } = stage;
  const prng = stage.prng.fork('head');
  const metal = shade(palette.second, 0.05);
  const w = s * prng.range(20, 23);
  const h = s * prng.range(17, 20);
  const round = s * prng.pick([4, 8, 15]);
  const shell = rect(cx - w, cy - h, w * 2, h * 2, metal, { rx: round });
  const shadow = path(
    new Pen()
      .to(cx + w * 0.62, cy - h)
      .line(cx + w - round, cy - h)
      .quad(cx + w, cy - h, cx + w, cy - h + round)
      .line(cx + w, cy + h - round)
      .quad(cx + w, cy + h, cx + w - round, cy + h)
      .line(cx + w * 0.62, cy + h)
      .close()
      .toString(),
    palette.near,
    { opacity: 0.18 },
  );
  const ear = (side: number): Markup =>
    rect(
      cx + side * (w + s * 2) - s * 2.4,
      cy - s * 6,
      s * 4.8,
      s * 12,
      palette.dark ? palette.third : palette.accent,
      { rx: s * 1.8 },
    ) + rect(cx + side * (w + s * 5) - s * 1, cy - s * 3, s * 2, s * 6, palette.near, { rx: s });
  const tip = cy - h - s * 11;
  const antenna =
    line(
      new Pen()
        .to(cx, cy - h)
        .line(cx, tip)
        .toString(),
      palette.near,
      s * 1.2,
    ) +
    circle(cx, tip, s * 2.9, palette.accent) +
    circle(cx - s, tip - s, s * 0.8, palette.light) +
    rect(cx - s * 4, cy - h - s * 2, s * 8, s * 3, palette.near, { rx: s });
  const visor = prng.chance(0.4);
  const eye = (side: number): Markup => {
    const x = cx + side * w * 0.44;
    const y = cy - h * 0.18;
    const r = s * 5.6;
    return (
      circle(x, y, r, visor ? palette.near : palette.light) +
      circle(x, y, r * 0.62, palette.accent) +
      circle(x, y, r * 0.3, palette.near) +
      circle(x - r * 0.22, y - r * 0.26, r * 0.16, '#ffffff')
    );
  };
  const band = visor ? rect(cx - w * 0.84, cy - h * 0.62, w * 1.68, h * 0.88, palette.near, { rx: s * 5 }) : '';
  const mouth = prng.pick(['grille', 'smile', 'teeth'] as const);
  const my = cy + h * 0.52;
  const lips =
    mouth === 'smile'
      ? line(
          new Pen()
            .to(cx - s * 7, my - s)
            .quad(cx, my + s * 6, cx + s * 7, my - s)
            .toString(),
          palette.near,
          s * 1.6,
        )
      : rect(cx - s * 8.5, my - s * 2.4, s * 17, s * 5.4, palette.near, { rx: s * 2 }) +
        [0, 1, 2, 3, 4]
          .map((i) =>
            rect(
              cx - s * 7 + i * s * 3,
              my - s * 1.3,
              s * 2,
              s * 3.2,
              mouth === 'teeth' ? palette.light : palette.third,
              { rx: s * 0.4 },
            ),
          )
          .join('');
  const bolts = [
    [-0.84, -0.78],
    [0.84, -0.78],
    [-0.84, 0.8],
    [0.84, 0.8],
  ].map(([dx, dy]) =>
    el('circle', { cx: cx + w * (dx ?? 0), cy: cy + h * (dy ?? 0), r: s * 0.9, fill: mix(metal, palette.near, 0.5) }),
  );
  return group(
    {},
    antenna,
    ear(-1),
    ear(1),
    shell,
    shadow,
    band,
    eye(-1),
    eye(1),
    lips,
    ...(round < s * 10 ? bolts : []),
  );
}
