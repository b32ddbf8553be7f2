import type { HistogramSample, Labels, PlainFamily } from './metric-family.js';

/** Counts events by the value of one label. The caller limits the number of values. */
export class CounterCells {
  readonly #counts = new Map<string, number>();

  /** `values`: label values whose series exist from the start, so that the first event is visible as an increase. */
  constructor(
    private readonly name: string,
    private readonly help: string,
    private readonly label: string,
    values: readonly string[] = [],
  ) {
    for (const value of values) this.#counts.set(value, 0);
  }

  count(value: string): void {
    this.#counts.set(value, (this.#counts.get(value) ?? 0) + 1);
  }

  family(): PlainFamily {
    const samples = [...this.#counts].map(([value, count]) => ({ labels: { [this.label]: value }, value: count }));
    return { type: 'counter', name: this.name, help: this.help, samples };
  }
}

/** The observations of one series of a histogram. An observation costs one search in the bounds and two additions. */
export class HistogramCells {
  /** The number of observations by bound, not cumulative. The last element counts values above all bounds. */
  readonly #cells: Float64Array;
  #sum = 0;

  constructor(private readonly bounds: readonly number[]) {
    this.#cells = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    const { bounds } = this;
    let at = 0;
    while (at < bounds.length && value > bounds[at]!) at++;
    this.#cells[at]!++;
    this.#sum += value;
  }

  sample(labels: Labels = {}): HistogramSample {
    let count = 0;
    const cumulative = Array.from(this.#cells, (cell) => (count += cell));
    return { labels, cumulative: cumulative.slice(0, -1), count, sum: this.#sum };
  }
}
