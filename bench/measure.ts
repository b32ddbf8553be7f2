import { quantile, type LoadResult } from './load.js';

/** The result of one run of one server. */
export interface Run {
  readonly requestsPerSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Milliseconds until the first byte of the body, at the median. */
  readonly firstByte: number;
  /** CPU microseconds per request. */
  readonly cpu: number;
  /** CPU microseconds of PostgreSQL per request; 0 for the bare proxy. */
  readonly postgresCpu: number;
  readonly requests: number;
}

/** A run of the bare proxy and the following run of the service. */
export interface Pair {
  readonly bare: Run;
  readonly service: Run;
}

export async function measured(
  load: () => Promise<LoadResult>,
  cpu: () => number,
  postgresCpu: () => number,
): Promise<Run> {
  const before = [cpu(), postgresCpu()] as const;
  const result = await load();
  const after = [cpu(), postgresCpu()] as const;
  return {
    requestsPerSecond: result.requests / result.seconds,
    p50: quantile(result.latencies, 0.5),
    p99: quantile(result.latencies, 0.99),
    firstByte: quantile(result.firstBytes, 0.5),
    cpu: (after[0] - before[0]) / result.requests,
    postgresCpu: (after[1] - before[1]) / result.requests,
    requests: result.requests,
  };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

export interface Summary {
  readonly scenario: string;
  readonly load: string;
  readonly bare: Run;
  readonly service: Run;
  /** CPU of the service relative to the bare proxy: `ratios` has the value of each pair; `ratio` is their median. */
  readonly ratio: number;
  readonly ratios: readonly number[];
  /** Median latency of the service minus median latency of the bare proxy, in ms: the median of all pairs. */
  readonly addedMs: number;
  /** The same difference for the time until the first byte of the body. */
  readonly addedToFirstByteMs: number;
}

export function summarise(scenario: string, load: string, pairs: readonly Pair[]): Summary {
  const ratios = pairs.map(({ bare, service }) => service.cpu / bare.cpu);
  const added = (of: 'p50' | 'firstByte'): number => median(pairs.map(({ bare, service }) => service[of] - bare[of]));
  return {
    scenario,
    load,
    bare: middle(pairs.map(({ bare }) => bare)),
    service: middle(pairs.map(({ service }) => service)),
    ratio: median(ratios),
    ratios,
    addedMs: added('p50'),
    addedToFirstByteMs: added('firstByte'),
  };
}

function middle(runs: readonly Run[]): Run {
  const of = (name: keyof Run): number => median(runs.map((run) => run[name]));
  return {
    requestsPerSecond: of('requestsPerSecond'),
    p50: of('p50'),
    p99: of('p99'),
    firstByte: of('firstByte'),
    cpu: of('cpu'),
    postgresCpu: of('postgresCpu'),
    requests: of('requests'),
  };
}

export function line(summary: Summary): string {
  const { bare, service } = summary;
  const cells = [
    summary.scenario.padEnd(11),
    summary.load.padStart(8),
    service.requestsPerSecond.toFixed(0).padStart(7),
    bare.requestsPerSecond.toFixed(0).padStart(7),
    service.p50.toFixed(2).padStart(8),
    service.p99.toFixed(2).padStart(8),
    service.cpu.toFixed(0).padStart(8),
    bare.cpu.toFixed(0).padStart(8),
    service.postgresCpu.toFixed(0).padStart(8),
    summary.ratio.toFixed(2).padStart(6),
    summary.addedMs.toFixed(2).padStart(7),
    summary.addedToFirstByteMs.toFixed(2).padStart(8),
  ];
  return `${cells.join(' ')}   ${summary.ratios.map((ratio) => ratio.toFixed(2)).join(' ')}`;
}

export const HEADING =
  'scenario        load   req/s    bare   p50 ms   p99 ms   cpu µs  bare µs    pg µs  ratio  +p50ms  +1st ms' +
  '   ratios pair by pair';
