import { mix } from '../colour.js';
import { jagged, lerp, polygon, type Point } from '../geometry.js';
import type { Motif, Stage } from '../stage.js';
import { group, path, rect, type Markup } from '../svg.js';
import { below, birds, bottomOf, conifer, cottage, luminary, sky, stars, weather } from './scenery.js';

interface Peak {
  readonly apex: Point;
  readonly left: readonly Point[];
  readonly right: readonly Point[];
}

/** Faceted peaks, layer behind layer, with mist between them and conifers in front. */
export const mountains: Motif = {
  name: 'mountains',
  carriesLettering: true,
  ground: (stage) => sky(stage) + (stage.palette.dark ? stars(stage, 1, below(stage, 0.5)) : ''),
  figures: (stage) => {
    const { frame, palette } = stage;
    const disc = luminary(stage, { y: below(stage, 0.22) });
    const layers = Array.from({ length: 4 }, (_, i) => range(stage, i, 4, disc.x));
    const flock = palette.dark
      ? ''
      : birds(
          stage,
          [frame.x + frame.w * (disc.x > frame.x + frame.w / 2 ? 0.28 : 0.74), below(stage, 0.16)],
          palette.near,
        );
    return group({}, disc.markup, flock, ...layers, foreground(stage), weather(stage));
  },
};

function range(stage: Stage, layer: number, layers: number, lightX: number): Markup {
  const { frame, palette, defs, unit } = stage;
  const prng = stage.prng.fork(`range${layer}`);
  const t = layer / (layers - 1);
  const baseline = below(stage, lerp(0.66, 1.0, t));
  const height = (bottomOf(frame) - stage.calm) * lerp(0.46, 0.3, t);
  const breadth = Math.max(unit * lerp(46, 62, t), height * 0.9);
  const count = Math.ceil(frame.w / (breadth * 0.62)) + 1;
  const body = palette.depth(lerp(0.08, 0.78, t));
  const misty = mix(body, palette.sky[2], lerp(0.55, 0.2, t));
  const peaks = Array.from({ length: count }, (_, i): Peak => {
    const x = frame.x + breadth * 0.62 * (i - 0.1 + prng.range(-0.22, 0.22));
    const top = height * (i % 2 === layer % 2 ? prng.range(0.78, 1) : prng.range(0.42, 0.66));
    const apex: Point = [x, baseline - top];
    const half = breadth * prng.range(0.52, 0.68) * lerp(0.6, 1, top / height);
    return {
      apex,
      left: jagged(prng, [x - half, baseline], apex, 4, 0.16),
      right: jagged(prng, apex, [x + half, baseline], 4, 0.16),
    };
  });
  const draw = peaks.map((peak) =>
    facets(stage, peak, baseline, {
      body,
      misty,
      lightX,
      snow: t < 0.6 && !stage.tags.has('lava') && (stage.tags.has('snow') || prng.chance(0.75)),
    }),
  );
  const mist = defs.linear([
    [0, palette.sky[2], 0],
    [1, palette.sky[2], lerp(0.6, 0.25, t)],
  ]);
  return group(
    {},
    ...draw,
    rect(frame.x, baseline - 0.5, frame.w, bottomOf(frame) - baseline + 1, misty),
    t < 1 ? rect(frame.x, baseline - height * 0.4, frame.w, height * 0.4, mist) : '',
  );
}

function facets(
  stage: Stage,
  peak: Peak,
  baseline: number,
  look: { body: string; misty: string; lightX: number; snow: boolean },
): Markup {
  const { palette, defs } = stage;
  const prng = stage.prng.fork(`facet${Math.round(peak.apex[0])}`);
  const outline = [...peak.left, ...peak.right.slice(1)];
  const fill = defs.linear([
    [0, look.body],
    [1, look.misty],
  ]);
  const shadeRight = look.lightX < peak.apex[0];
  const flank = shadeRight ? peak.right : peak.left.toReversed();
  const foot: Point = [lerp(peak.apex[0], (flank.at(-1) as Point)[0], 0.3), baseline];
  const spine = jagged(prng, peak.apex, foot, 4, 0.3);
  const dark = defs.linear([
    [0, palette.near, 0.42],
    [1, palette.near, 0],
  ]);
  const cap = look.snow ? path(snowcap(peak, baseline), mix(palette.light, '#ffffff', 0.4), { opacity: 0.94 }) : '';
  return group({}, path(polygon(outline), fill), cap, path(polygon([...flank, ...spine.toReversed()]), dark));
}

/** The upper quarter of a peak, with a zigzag hem. */
function snowcap(peak: Peak, baseline: number): string {
  const hem = lerp(peak.apex[1], baseline, 0.3);
  const left = peak.left.filter(([, y]) => y <= hem);
  const right = peak.right.filter(([, y]) => y <= hem);
  const from = right.at(-1);
  const to = left[0];
  if (!from || !to) return '';
  const teeth = Array.from({ length: 5 }, (_, i): Point => [
    lerp(from[0], to[0], (i + 1) / 6),
    hem + (i % 2 === 0 ? -1 : 1) * (baseline - peak.apex[1]) * 0.055,
  ]);
  return polygon([...left, ...right, ...teeth]);
}

function foreground(stage: Stage): Markup {
  const { frame, palette, unit } = stage;
  const prng = stage.prng.fork('pines');
  const ground = bottomOf(frame);
  const count = Math.round((frame.w / unit) * 0.16 * stage.detail) + 4;
  const tint = palette.depth(1);
  const trees = Array.from({ length: count }, () => {
    const x = frame.x + prng.next() * frame.w;
    const edge = Math.abs((x - frame.x) / frame.w - 0.5) * 2;
    return conifer(x, ground + unit, unit * lerp(7, 19, edge * prng.range(0.5, 1)), 4, tint);
  });
  const home = stage.tags.has('house') ? cottage(stage, frame.x + frame.w * 0.5, ground - unit * 2, unit * 11) : '';
  return group({}, home, ...trees, rect(frame.x, ground - unit * 2.4, frame.w, unit * 3, tint));
}
