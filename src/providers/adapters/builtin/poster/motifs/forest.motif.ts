import { mix } from '../colour.js';
import { areaUnder, lerp, Pen, swell } from '../geometry.js';
import type { Motif, Stage } from '../stage.js';
import { circle, group, path, rect, type Markup } from '../svg.js';
import { below, birds, bottomOf, conifer, cottage, luminary, sky, stars, weather } from './scenery.js';

const LAYERS = 5;

/** Rows of trees that fade into mist around a low sun. */
export const forest: Motif = {
  name: 'forest',
  carriesLettering: true,
  ground: (stage) => sky(stage, 0.8) + (stage.palette.dark ? stars(stage, 1, below(stage, 0.5)) : ''),
  figures: (stage) => {
    const { frame, palette } = stage;
    const disc = luminary(stage, { y: below(stage, 0.32), radius: stage.unit * 17 });
    const flock = palette.dark ? '' : birds(stage, [disc.x - stage.unit * 2, below(stage, 0.2)], palette.near);
    const rows = Array.from({ length: LAYERS }, (_, i) => row(stage, i));
    const home = stage.tags.has('house')
      ? cottage(stage, frame.x + frame.w * 0.56, bottomOf(frame) - stage.unit * 5, stage.unit * 13)
      : '';
    return group({}, disc.markup, flock, ...rows, home, weather(stage));
  },
};

function row(stage: Stage, layer: number): Markup {
  const { frame, palette, unit, defs } = stage;
  const prng = stage.prng.fork(`row${layer}`);
  const t = layer / (LAYERS - 1);
  const tint = palette.depth(lerp(0.05, 1, t ** 0.85));
  const base = below(stage, lerp(0.62, 0.98, t));
  const land = swell(prng, frame, base, unit * 2.5, 1.2);
  const gap = (unit * lerp(5.5, 11, t)) / Math.sqrt(stage.detail);
  const room = (bottomOf(frame) - stage.calm) * lerp(0.26, 0.56, t);
  const crowns = autumnal(stage);
  const trees: Markup[] = [];
  for (let x = frame.x - gap * prng.next(); x < frame.x + frame.w + gap; x += gap * prng.range(0.55, 1.35)) {
    const middle = Math.abs((x - frame.x) / frame.w - 0.5) * 2;
    const height = room * prng.range(0.55, 1) * lerp(lerp(1, 0.35, t), 1, middle);
    if (t > 0.9 && middle < 0.35) continue;
    trees.push(
      crowns && prng.chance(0.6)
        ? roundTree(stage, x, base, height * 0.8, prng.pick([palette.accent, palette.second, palette.third]), tint, t)
        : conifer(x, base + unit * 2, height, 5, tint),
    );
  }
  const mist = defs.linear([
    [0, palette.sky[2], 0],
    [1, palette.sky[2], lerp(0.75, 0, t)],
  ]);
  return group(
    {},
    ...trees,
    path(areaUnder(land, frame), tint),
    t < 1 ? rect(frame.x, base - room * 0.3, frame.w, bottomOf(frame) - base + room * 0.3, mist) : '',
  );
}

/** Warm palettes get round crowns among the conifers. */
function autumnal(stage: Stage): boolean {
  return (
    stage.palette.third !== stage.palette.second &&
    /^#[c-f]/.test(stage.palette.accent) &&
    stage.prng.fork('crowns').chance(0.55)
  );
}

function roundTree(stage: Stage, x: number, y: number, height: number, leaf: string, trunk: string, t: number): Markup {
  const crown = mix(mix(leaf, stage.palette.sky[2], lerp(0.55, 0, t)), trunk, 0.22 * t);
  const r = height * 0.27;
  const stem = path(
    new Pen()
      .to(x - height * 0.018, y - height * 0.6)
      .line(x + height * 0.018, y - height * 0.6)
      .line(x + height * 0.03, y + stage.unit * 2)
      .line(x - height * 0.03, y + stage.unit * 2)
      .close()
      .toString(),
    trunk,
  );
  return group(
    {},
    stem,
    circle(x, y - height + r, r, crown),
    circle(x - r * 0.5, y - height + r * 1.75, r * 0.74, crown),
    circle(x + r * 0.55, y - height + r * 1.6, r * 0.7, mix(crown, trunk, 0.12)),
  );
}
