import { mix, oklch } from '../colour.js';
import { Pen, polygon, spread } from '../geometry.js';
import type { Motif, Stage } from '../stage.js';
import { circle, el, group, line, path, rect, type Markup } from '../svg.js';
import { leaf } from './foliage.js';
import { bottomOf, stars } from './scenery.js';

/** A cat that faces the viewer in front of a moon. */
export const cat: Motif = {
  name: 'cat',
  carriesLettering: false,
  ground: (stage) => {
    const { frame, palette, defs } = stage;
    const fill = defs.linear([
      [0, palette.sky[0]],
      [0.7, palette.sky[1]],
      [1, palette.sky[2]],
    ]);
    return rect(frame.x, frame.y, frame.w, frame.h, fill) + (palette.dark ? stars(stage, 1.6, bottomOf(frame)) : '');
  },
  figures: (stage) => {
    const { frame, palette, unit } = stage;
    const s = Math.min(frame.h / 100, frame.w / 84);
    const cx = frame.x + frame.w / 2;
    const floor = bottomOf(frame);
    const prng = stage.prng.fork('leaves');
    const wide = Math.max(1, frame.w / frame.h);
    const grass = spread(Math.round(11 * wide), frame.x, frame.x + frame.w).map((x) =>
      leaf(
        [x, floor + unit * 2],
        unit * prng.range(13, 25),
        unit * prng.range(3, 5),
        -90 + prng.range(-30, 30),
        mix(palette.second, palette.near, prng.range(0.15, 0.6)),
        palette.near,
      ),
    );
    return group(
      {},
      circle(cx, floor - s * 58, s * 36, palette.light),
      ...grass.filter((_, i) => i % 2 === 0),
      body(stage, cx, floor, s),
      face(stage, cx, floor - s * 58, s),
      ...grass.filter((_, i) => i % 2 === 1),
    );
  },
};

function furOf({ palette, prng, tags }: Stage): string {
  if (tags.has('black')) return palette.near;
  if (tags.has('white')) return mix(palette.light, palette.far, 0.12);
  if (tags.has('ginger')) return oklch([0.7, 0.15, 58]);
  return prng.fork('fur').pick([palette.near, palette.accent, mix(palette.near, palette.second, 0.35)]);
}

function body(stage: Stage, cx: number, floor: number, s: number): Markup {
  const { palette } = stage;
  const fur = furOf(stage);
  const dark = mix(fur, palette.near === fur ? palette.second : palette.near, 0.3);
  const side = stage.prng.fork('tail').sign();
  const torso = new Pen()
    .to(cx - s * 23, floor + s)
    .cubic(cx - s * 26, floor - s * 24, cx - s * 14, floor - s * 38, cx - s * 10, floor - s * 48)
    .line(cx + s * 10, floor - s * 48)
    .cubic(cx + s * 14, floor - s * 38, cx + s * 26, floor - s * 24, cx + s * 23, floor + s)
    .close()
    .toString();
  const tail = new Pen()
    .to(cx + side * s * 16, floor - s * 4)
    .cubic(cx + side * s * 44, floor - s * 2, cx + side * s * 40, floor - s * 30, cx + side * s * 31, floor - s * 34)
    .toString();
  const bib = el('ellipse', { cx, cy: floor - s * 27, rx: s * 9, ry: s * 15, fill: mix(fur, palette.light, 0.75) });
  const legs = [-1, 1].map((k) =>
    line(
      new Pen()
        .to(cx + k * s * 4.6, floor - s * 17)
        .line(cx + k * s * 5, floor)
        .toString(),
      dark,
      s * 0.8,
    ),
  );
  return group({}, line(tail, fur, s * 6.4), path(torso, fur), bib, ...legs);
}

function face(stage: Stage, cx: number, cy: number, s: number): Markup {
  const { palette } = stage;
  const prng = stage.prng.fork('face');
  const fur = furOf(stage);
  const pale = mix(fur, palette.light, 0.75);
  const pink = mix(palette.accent, palette.light, fur === palette.accent ? 0.6 : 0.3);
  const ear = (k: number): Markup =>
    path(
      polygon([
        [cx + k * s * 20.5, cy + s * 2],
        [cx + k * s * 20, cy - s * 27],
        [cx + k * s * 3, cy - s * 14],
      ]),
      fur,
    ) +
    path(
      polygon([
        [cx + k * s * 17.2, cy - s * 8],
        [cx + k * s * 17.2, cy - s * 20.5],
        [cx + k * s * 8.5, cy - s * 14],
      ]),
      pink,
    );
  const iris = prng.pick([palette.third, palette.light, mix(palette.second, palette.light, 0.4)]);
  const eye = (k: number): Markup => {
    const x = cx + k * s * 9;
    const y = cy - s * 1.5;
    const shape = new Pen()
      .to(x - s * 5.4, y + k * s * 0.8)
      .quad(x, y - s * 6.4, x + s * 5.4, y - k * s * 0.8)
      .quad(x, y + s * 5.4, x - s * 5.4, y + k * s * 0.8)
      .close()
      .toString();
    return (
      path(shape, fur === palette.near ? iris : mix(iris, '#ffffff', 0.5)) +
      el('ellipse', { cx: x, cy: y, rx: s * 1.35, ry: s * 3, fill: mix(palette.near, '#000000', 0.5) }) +
      circle(x - s * 1, y - s * 1.4, s * 0.75, '#ffffff')
    );
  };
  const stripes = prng.chance(0.6)
    ? [-1, 0, 1].map((k) =>
        line(
          new Pen()
            .to(cx + k * s * 4.2, cy - s * 16.5)
            .line(cx + k * s * 3.4, cy - s * (k === 0 ? 9 : 11))
            .toString(),
          mix(fur, pale, 0.45),
          s * 1.7,
        ),
      )
    : [];
  const whiskers = [-1, 1].flatMap((k) =>
    [-1, 0, 1].map((d) =>
      line(
        new Pen()
          .to(cx + k * s * 9, cy + s * (9 + d * 1.6))
          .quad(cx + k * s * 18, cy + s * (8 + d * 3), cx + k * s * 28, cy + s * (8.5 + d * 5))
          .toString(),
        fur === palette.near ? palette.paper : palette.near,
        Math.max(0.5, s * 0.42),
        { opacity: 0.85 },
      ),
    ),
  );
  const muzzle =
    el('ellipse', { cx: cx - s * 4, cy: cy + s * 8.5, rx: s * 5.4, ry: s * 4.4, fill: pale }) +
    el('ellipse', { cx: cx + s * 4, cy: cy + s * 8.5, rx: s * 5.4, ry: s * 4.4, fill: pale });
  const nose = path(
    new Pen()
      .to(cx - s * 3, cy + s * 4)
      .quad(cx, cy + s * 3, cx + s * 3, cy + s * 4)
      .quad(cx + s * 1.6, cy + s * 7, cx, cy + s * 7.2)
      .quad(cx - s * 1.6, cy + s * 7, cx - s * 3, cy + s * 4)
      .close()
      .toString(),
    pink,
  );
  const mouth = line(
    new Pen()
      .to(cx - s * 4, cy + s * 10.2)
      .quad(cx - s * 1, cy + s * 11.6, cx, cy + s * 7.6)
      .quad(cx + s * 1, cy + s * 11.6, cx + s * 4, cy + s * 10.2)
      .toString(),
    mix(palette.near, '#000000', 0.3),
    s * 0.75,
  );
  return group(
    {},
    ear(-1),
    ear(1),
    el('ellipse', { cx, cy, rx: s * 21.5, ry: s * 18.5, fill: fur }),
    ...stripes,
    eye(-1),
    eye(1),
    muzzle,
    nose,
    mouth,
    ...whiskers,
  );
}
