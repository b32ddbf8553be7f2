import { mix } from '../colour.js';
import { Pen, spread, type Point } from '../geometry.js';
import type { Motif, Stage } from '../stage.js';
import { circle, group, path, rect, type Markup } from '../svg.js';
import { leaf, stem, type StemStyle } from './foliage.js';
import { bottomOf } from './scenery.js';

/** Pressed branches before a plain ground and one large shape. */
export const botanical: Motif = {
  name: 'botanical',
  carriesLettering: false,
  ground: (stage) => {
    const { frame, palette, defs } = stage;
    const top = palette.dark ? palette.sky[1] : mix(palette.paper, palette.far, 0.24);
    return rect(
      frame.x,
      frame.y,
      frame.w,
      frame.h,
      defs.linear([
        [0, top],
        [1, mix(top, palette.far, 0.3)],
      ]),
    );
  },
  figures: (stage) => group({}, backdrop(stage), ...branches(stage)),
};

function backdrop(stage: Stage): Markup {
  const { frame, palette, unit } = stage;
  const prng = stage.prng.fork('backdrop');
  const cx = frame.x + frame.w / 2;
  const tint = prng.pick([palette.accent, palette.third, mix(palette.accent, palette.third, 0.5)]);
  if (prng.chance(0.5)) return circle(cx, frame.y + frame.h * 0.42, unit * 33, tint);
  const half = Math.min(frame.w * 0.36, unit * 34);
  const top = frame.y + frame.h * 0.12;
  return path(
    new Pen()
      .to(cx - half, bottomOf(frame) + 1)
      .line(cx - half, top + half)
      .arc(half, false, true, cx + half, top + half)
      .line(cx + half, bottomOf(frame) + 1)
      .close()
      .toString(),
    tint,
  );
}

function branches(stage: Stage): Markup[] {
  const { frame, palette, unit } = stage;
  const prng = stage.prng.fork('branches');
  const greens = [
    palette.second,
    mix(palette.second, palette.near, 0.45),
    mix(palette.second, palette.far, 0.5),
    palette.near,
  ];
  const kinds: StemStyle['kind'][] = prng.shuffle(['pointed', 'round', 'fern', 'berries', 'fan']);
  const wide = Math.max(1, frame.w / frame.h);
  const count = Math.round(5 * Math.min(wide, 3.4));
  const out = Array.from({ length: count }, (_, i) => {
    const t = count === 1 ? 0.5 : i / (count - 1);
    const spread = wide > 1.4 ? 0.86 : 0.62;
    const foot: Point = [frame.x + frame.w * (0.5 + (t - 0.5) * spread * 0.7), bottomOf(frame) + unit * 4];
    const peak = 0.9 - Math.abs(t - 0.5) * (wide > 1.4 ? 0.25 : 0.66) + prng.range(-0.08, 0.05);
    const tip: Point = [frame.x + frame.w * (0.5 + (t - 0.5) * spread * 1.22), bottomOf(frame) - frame.h * peak * 0.94];
    const leafColour = greens[i % greens.length] ?? palette.second;
    const style: StemStyle = {
      kind: kinds[i % kinds.length] ?? 'pointed',
      colour: mix(palette.near, leafColour, 0.3),
      leaf: leafColour,
      dark: palette.near,
      berry: palette.accent === leafColour ? palette.third : mix(palette.accent, palette.near, 0.12),
    };
    const size = Math.min(unit * prng.range(13, 17), frame.h * 0.16);
    const pairs = Math.max(
      4,
      Math.min(
        style.kind === 'fern' ? 22 : 14,
        Math.round(((foot[1] - tip[1]) / size) * (style.kind === 'fern' ? 2.4 : 1.5) * Math.sqrt(stage.detail)),
      ),
    );
    return {
      order: Math.abs(t - 0.5),
      markup: stem(prng.fork(`stem${i}`), foot, tip, size * (style.kind === 'fern' ? 0.9 : 1), style, pairs),
    };
  });
  const skirt = spread(Math.round(7 * wide), frame.x + frame.w * 0.04, frame.x + frame.w * 0.96).map((x, i) => {
    return leaf(
      [x, bottomOf(frame) + unit * 3],
      unit * prng.range(15, 24),
      unit * prng.range(5, 7),
      -90 + prng.range(-32, 32),
      greens[(i + 1) % greens.length] ?? palette.second,
      palette.near,
    );
  });
  return [...out.sort((a, b) => b.order - a.order).map((b) => b.markup), ...skirt];
}
