import { Prng } from '../prng.js';

/** A square of sparse dark and light specks, as raw RGBA, that repeats without a seam. */
interface GrainTile {
  readonly data: Buffer;
  readonly side: number;
}

const SIDE = 192;
const tiles = new Map<string, GrainTile>();

/**
 * Paper grain for a picture whose shorter side is `measure` pixels. Specks grow with the picture, so that a large one
 * looks like a small one and still compresses. `strength` is a factor on the specks' opacity.
 */
export function grainFor(measure: number, strength: number): GrainTile {
  const speck = Math.max(1, Math.round(measure / 1100));
  const key = `${speck}.${strength}`;
  const known = tiles.get(key);
  if (known) return known;
  const tile = draw(speck, strength);
  tiles.set(key, tile);
  return tile;
}

function draw(speck: number, strength: number): GrainTile {
  const prng = Prng.of('grain', '', 0);
  const side = SIDE * speck;
  const data = Buffer.alloc(side * side * 4);
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) {
      const u = prng.next();
      const dark = u < 0.2;
      const light = u > 0.86;
      if (!dark && !light) continue;
      const alpha = Math.round((dark ? 15 : 22) * strength * (prng.next() < 0.5 ? 0.6 : 1.25));
      fill(data, side, x * speck, y * speck, speck, dark ? 20 : 255, alpha);
    }
  }
  return { data, side };
}

function fill(data: Buffer, side: number, x0: number, y0: number, speck: number, level: number, alpha: number): void {
  for (let y = y0; y < y0 + speck; y++) {
    for (let x = x0; x < x0 + speck; x++) {
      const at = (y * side + x) * 4;
      data[at] = level;
      data[at + 1] = level;
      data[at + 2] = level;
      data[at + 3] = alpha;
    }
  }
}
