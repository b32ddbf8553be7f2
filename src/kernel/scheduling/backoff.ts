/** An exponentially growing pause: `firstMs` after the first failure (`failures` = 1), then doubled, up to `maxMs`. */
export const backoffMs = (failures: number, firstMs: number, maxMs = Infinity): number =>
  Math.min(firstMs * 2 ** (failures - 1), maxMs);
