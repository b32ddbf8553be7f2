export type Direction = 'ascending' | 'descending';
type Value = string | number | null;

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** Compares two values. Absent values are last in both directions. */
export function compared(a: Value, b: Value, direction: Direction): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const order = typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b));
  return direction === 'ascending' ? order : -order;
}
