import { mix } from '../colour.js';
import { Pen, polygon } from '../geometry.js';
import type { Prng } from '../prng.js';
import type { Motif } from '../stage.js';
import { circle, group, path, rect, type Markup } from '../svg.js';

type Tile =
  | 'quarter'
  | 'leaf'
  | 'circle'
  | 'half'
  | 'triangle'
  | 'stripes'
  | 'dots'
  | 'arcs'
  | 'steps'
  | 'petals'
  | 'frame'
  | 'eye';
const TILES: readonly Tile[] = [
  'quarter',
  'quarter',
  'leaf',
  'circle',
  'half',
  'half',
  'triangle',
  'stripes',
  'dots',
  'arcs',
  'arcs',
  'steps',
  'petals',
  'frame',
  'eye',
];

/** A grid of elementary forms; a few tiles are twice as large. */
export const bauhaus: Motif = {
  name: 'bauhaus',
  carriesLettering: false,
  ground: ({ frame, palette }) =>
    rect(frame.x, frame.y, frame.w, frame.h, palette.dark ? palette.sky[0] : mix(palette.paper, palette.far, 0.12)),
  figures: (stage) => {
    const { frame, palette } = stage;
    const prng = stage.prng.fork('grid');
    const across = Math.max(
      2,
      Math.round((stage.detail > 1.2 ? 6 : stage.detail < 0.8 ? 4 : 5) * (prng.chance(0.5) ? 1 : 0.8)),
    );
    const target = Math.min(frame.w, frame.h) / across;
    const cols = Math.max(1, Math.min(64, Math.round(frame.w / target)));
    const rows = Math.max(1, Math.min(64, Math.round(frame.h / target)));
    const w = frame.w / cols;
    const h = frame.h / rows;
    const colours = [
      palette.accent,
      palette.second,
      palette.third,
      palette.near,
      palette.dark ? palette.light : palette.paper,
    ];
    const taken = new Set<string>();
    const out: Markup[] = [];
    for (let r = 0; r < rows; r++) {
      for (let c = 0; c < cols; c++) {
        if (taken.has(`${r}.${c}`)) continue;
        const big = c + 1 < cols && r + 1 < rows && !taken.has(`${r}.${c + 1}`) && prng.chance(0.17);
        if (big) for (const key of [`${r}.${c + 1}`, `${r + 1}.${c}`, `${r + 1}.${c + 1}`]) taken.add(key);
        const [ground, form, extra] = prng.shuffle(colours) as [string, string, string];
        const k = big ? 2 : 1;
        out.push(tile(prng, { x: frame.x + c * w, y: frame.y + r * h, w: w * k, h: h * k }, ground, form, extra));
      }
    }
    return group({}, ...out);
  },
};

function tile(
  prng: Prng,
  box: { x: number; y: number; w: number; h: number },
  ground: string,
  form: string,
  extra: string,
): Markup {
  const s = Math.min(box.w, box.h);
  const turn = prng.int(0, 3) * 90;
  const kind = prng.pick(TILES);
  // Overlap neighbouring tiles slightly: antialiasing would leave seams between them.
  const base = rect(box.x - 0.3, box.y - 0.3, box.w + 0.6, box.h + 0.6, ground);
  const place =
    `translate(${(box.x + box.w / 2).toFixed(2)} ${(box.y + box.h / 2).toFixed(2)}) rotate(${turn}) ` +
    `scale(${(turn % 180 === 0 ? box.w / s : box.h / s).toFixed(4)} ` +
    `${(turn % 180 === 0 ? box.h / s : box.w / s).toFixed(4)})`;
  return base + group({ transform: place }, ...shapes(prng, kind, s, ground, form, extra));
}

/** Centred on the origin, in a square of side `s`. */
function shapes(prng: Prng, kind: Tile, s: number, ground: string, form: string, extra: string): Markup[] {
  const h = s / 2;
  const quarter = (r: number): string =>
    new Pen()
      .to(-h, -h)
      .line(-h + r, -h)
      .arc(r, false, true, -h, -h + r)
      .close()
      .toString();
  switch (kind) {
    case 'quarter':
      return [path(quarter(s), form), prng.chance(0.4) ? path(quarter(s * 0.5), extra) : ''];
    case 'leaf':
      return [
        path(new Pen().to(-h, -h).arc(s, false, true, h, h).arc(s, false, true, -h, -h).close().toString(), form),
      ];
    case 'circle':
      return [circle(0, 0, h * 0.78, form), prng.chance(0.5) ? circle(0, 0, h * 0.36, extra) : ''];
    case 'half':
      return [
        path(new Pen().to(-h, 0).arc(h, false, true, h, 0).close().toString(), form),
        prng.chance(0.6) ? path(new Pen().to(-h, h).arc(h, false, true, h, h).close().toString(), extra) : '',
      ];
    case 'triangle':
      return [
        path(
          polygon([
            [-h, h],
            [h, h],
            [-h, -h],
          ]),
          form,
        ),
        prng.chance(0.35) ? circle(h * 0.4, -h * 0.4, h * 0.32, extra) : '',
      ];
    case 'stripes':
      return [0, 1, 2, 3].map((i) => rect(-h + (s * (i * 2 + 0)) / 8, -h, s / 8, s, form));
    case 'dots':
      return [0, 1, 2, 3, 4, 5, 6, 7, 8].map((i) =>
        circle(
          -h + s * (0.2 + 0.3 * (i % 3)),
          -h + s * (0.2 + 0.3 * Math.floor(i / 3)),
          s * 0.085,
          i === 4 ? extra : form,
        ),
      );
    case 'arcs':
      return [1, 0.8, 0.6, 0.4, 0.2].map((k, i) => path(quarter(s * k), i % 2 === 0 ? form : i === 1 ? ground : extra));
    case 'steps':
      return [0, 1, 2, 3].map((i) =>
        rect(-h + (s * i) / 4, h - (s * (i + 1)) / 4, s / 4 + 0.2, (s * (i + 1)) / 4, i % 2 === 0 ? form : extra),
      );
    case 'petals':
      return [0, 90, 180, 270].map((a) =>
        group(
          { transform: `rotate(${a})` },
          path(
            new Pen().to(0, 0).arc(h, false, true, h, -h).arc(h, false, true, 0, 0).close().toString(),
            a % 180 === 0 ? form : extra,
          ),
        ),
      );
    case 'eye':
      return [
        path(
          new Pen()
            .to(-h, 0)
            .quad(0, -s * 0.72, h, 0)
            .quad(0, s * 0.72, -h, 0)
            .close()
            .toString(),
          form,
        ),
        circle(0, 0, h * 0.34, extra),
        circle(0, 0, h * 0.15, ground),
      ];
    default:
      return [
        rect(-h * 0.72, -h * 0.72, s * 0.72, s * 0.72, form),
        rect(-h * 0.4, -h * 0.4, s * 0.4, s * 0.4, extra),
        circle(0, 0, h * 0.2, ground),
      ];
  }
}
