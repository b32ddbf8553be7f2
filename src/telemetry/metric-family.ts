/** Label names and values of one series. */
export type Labels = Readonly<Record<string, string>>;

/** A number, or an exact decimal as text. */
export type MetricValue = number | string;

export interface Sample {
  readonly labels: Labels;
  readonly value: MetricValue;
}

export interface HistogramSample {
  readonly labels: Labels;
  /** For each bound of the family, the number of observations less than or equal to the bound. */
  readonly cumulative: readonly number[];
  readonly count: number;
  readonly sum: MetricValue;
}

interface FamilyHead {
  /** As in the Prometheus text format: base units, and `_total` at the end of a counter's name. */
  readonly name: string;
  readonly help: string;
  /** The start of counting, in Unix milliseconds; absent = the start of the process. */
  readonly sinceMs?: number;
  /** How to merge the values of several processes. Default: the sum. */
  readonly ofProcesses?: 'highest';
}

export interface PlainFamily extends FamilyHead {
  readonly type: 'counter' | 'gauge';
  readonly samples: Iterable<Sample>;
}

export interface HistogramFamily extends FamilyHead {
  readonly type: 'histogram';
  /** Ascending, without infinity. */
  readonly bounds: readonly number[];
  readonly samples: Iterable<HistogramSample>;
}

/** All series of one metric. */
export type MetricFamily = PlainFamily | HistogramFamily;

/**
 * Returns samples that are created while they are read, so that many samples do not block the event loop. They can be
 * read repeatedly.
 */
export const lazily = <T>(make: () => Generator<T, void, void>): Iterable<T> => ({ [Symbol.iterator]: make });

/** A family with one series without labels. */
export const single = (type: PlainFamily['type'], name: string, help: string, value: MetricValue): PlainFamily => ({
  type,
  name,
  help,
  samples: [{ labels: {}, value }],
});
