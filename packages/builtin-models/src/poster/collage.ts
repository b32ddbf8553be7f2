import type { Rect } from './geometry.ts';
import type { Palette } from './palette.ts';
import type { Prng } from './prng.ts';
import { el, group, num, rect, type Markup } from './svg.ts';

/** A reference picture, decoded and re-encoded by the caller of this package. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly mediaType: 'image/jpeg' | 'image/png';
  readonly b64: string;
}

/** Returns a cell of `area` for each of `count` pictures, in the grid whose cells are largest. */
function cellsOf(count: number, area: Rect): readonly Rect[] {
  let best: { cols: number; rows: number; side: number } = { cols: 1, rows: count, side: 0 };
  for (let cols = 1; cols <= count; cols++) {
    const rows = Math.ceil(count / cols);
    const side = Math.min(area.w / cols, (area.h / rows) * 1.15);
    if (side > best.side) best = { cols, rows, side };
  }
  return Array.from({ length: count }, (_, i) => {
    const row = Math.floor(i / best.cols);
    const inRow = row === best.rows - 1 ? count - row * best.cols : best.cols;
    const w = area.w / best.cols;
    const h = area.h / best.rows;
    // Centre a last row that is not full.
    return { x: area.x + (area.w - inRow * w) / 2 + (i - row * best.cols) * w, y: area.y + row * h, w, h };
  });
}

/** Draws pictures as mounted prints, with a paper border, a shadow and a slight rotation. */
export function collage(pictures: readonly Picture[], area: Rect, palette: Palette, prng: Prng): Markup {
  const cells = cellsOf(pictures.length, area);
  const turned = pictures.length > 1;
  return group({}, ...pictures.map((each, i) => print(each, cells[i]!, palette, prng.fork(`print${i}`), turned)));
}

function print(picture: Picture, cell: Rect, palette: Palette, prng: Prng, turned: boolean): Markup {
  const pad = Math.min(cell.w, cell.h) * (turned ? 0.075 : 0.09);
  const border = Math.min(cell.w, cell.h) * 0.03;
  const scale = Math.min((cell.w - 2 * (pad + border)) / picture.width, (cell.h - 2 * (pad + border)) / picture.height);
  const w = picture.width * scale;
  const h = picture.height * scale;
  const cx = cell.x + cell.w / 2;
  const cy = cell.y + cell.h / 2;
  const mount = { x: cx - w / 2 - border, y: cy - h / 2 - border, w: w + 2 * border, h: h + 2 * border };
  const paper = palette.dark ? palette.light : palette.paper;
  return group(
    { transform: turned ? `rotate(${num(prng.range(-2.6, 2.6))} ${num(cx)} ${num(cy)})` : undefined },
    rect(mount.x, mount.y + border * 0.5, mount.w + border * 0.4, mount.h, palette.near, { 'fill-opacity': 0.25 }),
    rect(mount.x, mount.y, mount.w, mount.h, paper),
    image(picture, cx - w / 2, cy - h / 2, w, h),
    rect(cx - w / 2, cy - h / 2, w, h, 'none', {
      stroke: palette.near,
      'stroke-width': border * 0.06,
      'stroke-opacity': 0.5,
    }),
  );
}

/**
 * Draws a picture. Every attribute except `href` must match SAFE_VALUE. `href` is a data URL that this process encoded.
 */
function image(picture: Picture, x: number, y: number, w: number, h: number): Markup {
  if (!/^[A-Za-z0-9+/]+=*$/.test(picture.b64)) throw new Error('a picture is not base64');
  const box = el('image', { x, y, width: w, height: h, preserveAspectRatio: 'none' });
  return box.replace('/>', ` href="data:${picture.mediaType};base64,${picture.b64}"/>`);
}
