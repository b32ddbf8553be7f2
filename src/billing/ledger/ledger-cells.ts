import { CounterCells, HistogramCells } from '../../telemetry/cells.js';
import type { MetricFamily } from '../../telemetry/metric-family.js';
import type { RefusalReason } from './ledger-rows.js';

type ReservationResult = 'reserved' | RefusalReason | 'unavailable';
const RESULTS: readonly ReservationResult[] = [
  'reserved',
  'insufficient_credits',
  'key_limit',
  'budget',
  'unavailable',
];

const BATCH_BOUNDS = [1, 2, 4, 8, 16, 32, 64, 128, 256];
const SECONDS_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
/** The bounds begin at 0.1 ms, because the service's own part of a call's duration can be that short. */
const OVERHEAD_BOUNDS = [0.0001, 0.00025, 0.0005, ...SECONDS_BOUNDS];

export type BatchKind = 'reserve' | 'finish' | 'post';

/** Counters of the ledger of this process. */
export class LedgerCells {
  readonly reservations = new CounterCells(
    'gatehouse_reservations_total',
    'Reservations by outcome: reserved, the limit, budget or key that refused, or unavailable (the database).',
    'outcome',
    RESULTS,
  );
  /** The duration of a settled call minus its time at vendors, in seconds. */
  readonly overhead = new HistogramCells(OVERHEAD_BOUNDS);
  readonly #sizes = cellsByKind(BATCH_BOUNDS);
  readonly #seconds = cellsByKind(SECONDS_BOUNDS);

  batch(kind: BatchKind, size: number, seconds: number): void {
    this.#sizes[kind].observe(size);
    this.#seconds[kind].observe(seconds);
  }

  families(): MetricFamily[] {
    return [
      this.reservations.family(),
      {
        type: 'histogram',
        name: 'gatehouse_overhead_seconds',
        help: "The service's own time of a settled call, from its received body to its settlement, without vendors.",
        bounds: OVERHEAD_BOUNDS,
        samples: [this.overhead.sample()],
      },
      {
        type: 'histogram',
        name: 'gatehouse_ledger_batch_size',
        help: 'Reservations, settlements or posts that were sent to the database together.',
        bounds: BATCH_BOUNDS,
        samples: KINDS.map((kind) => this.#sizes[kind].sample({ kind })),
      },
      {
        type: 'histogram',
        name: 'gatehouse_ledger_batch_seconds',
        help: 'Time of a batch of reservations, settlements or posts in the database.',
        bounds: SECONDS_BOUNDS,
        samples: KINDS.map((kind) => this.#seconds[kind].sample({ kind })),
      },
    ];
  }
}

const KINDS: readonly BatchKind[] = ['reserve', 'finish', 'post'];

function cellsByKind(bounds: readonly number[]): Record<BatchKind, HistogramCells> {
  const [reserve, finish, post] = KINDS.map(() => new HistogramCells(bounds));
  return { reserve: reserve!, finish: finish!, post: post! };
}
