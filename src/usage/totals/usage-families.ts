import type { Sql } from '../../database/sql.js';
import { nanoToText } from '../../kernel/money.js';
import { DURATION_BOUNDS_S, GENAI, OPERATION_OF, prometheusName, TOKEN_BOUNDS } from '../../telemetry/genai-names.js';
import {
  lazily,
  type HistogramSample,
  type Labels,
  type MetricFamily,
  type Sample,
} from '../../telemetry/metric-family.js';
import { MODALITY, type Modality } from '../generation-record.js';
import { OUTCOME_NAMES } from './count-usage.js';

/**
 * Numbers are texts, and arrays are texts with commas, because formatting in PostgreSQL is faster than parsing in its
 * driver.
 */
interface TotalRow {
  readonly modality: number;
  readonly provider: string;
  readonly model: string;
  readonly calls: string;
  readonly outcomes: string;
  readonly cost: string;
  readonly duration_ms: string;
  readonly durations: string;
  readonly input_tokens: string;
  readonly input_calls: string;
  readonly inputs: string;
  readonly output_tokens: string;
  readonly output_calls: string;
  readonly outputs: string;
}

const ROWS = `select modality, provider, model, calls::text, array_to_string(outcomes, ',') as outcomes, cost::text,
    duration_ms::text, array_to_string(durations, ',') as durations,
    input_tokens::text, input_calls::text, array_to_string(inputs, ',') as inputs,
    output_tokens::text, output_calls::text, array_to_string(outputs, ',') as outputs
  from usage_total order by modality, provider, model`;

const STATE = `select extract(epoch from p.since)::float8 * 1000 as since,
    coalesce(greatest(extract(epoch from now() - (
      select min(o.created_at) from outbox_call o
      where o.xid >= pg_snapshot_xmin(p.seen) and not pg_visible_in_snapshot(o.xid, p.seen)))::float8, 0), 0) as lag
  from usage_total_position p`;

const MODALITY_NAMES = new Map(Object.entries(MODALITY).map(([name, number]) => [number as number, name as Modality]));
const [OPERATION, PROVIDER, MODEL, TOKEN_TYPE] = [
  GENAI.operationName,
  GENAI.providerName,
  GENAI.requestModel,
  GENAI.tokenType,
].map(prometheusName) as [string, string, string, string];

/** A scrape waits at most this long for the database. */
const TIMEOUT_MS = 2_000;

/** The totals of the recorded calls, which are the same on every replica. */
export async function usageFamilies(sql: Sql): Promise<MetricFamily[]> {
  const [rows, [state]] = await sql.transaction(
    async (session) => [
      await session.query<TotalRow>(ROWS),
      await session.query<{ since: number; lag: number }>(STATE),
    ],
    { timeoutMs: TIMEOUT_MS, byIndex: true },
  );
  /** The samples of each row. */
  const each = <T>(samplesOf: (row: TotalRow, labels: Labels) => readonly T[]): Iterable<T> =>
    lazily(function* () {
      for (const row of rows) yield* samplesOf(row, labelsOf(row));
    });
  const { since: sinceMs, lag } = state!;
  return [
    {
      type: 'histogram',
      name: `${prometheusName(GENAI.operationDuration)}_seconds`,
      help: 'Duration of recorded calls; its count is the number of calls.',
      bounds: DURATION_BOUNDS_S,
      samples: each((row, labels) => [durationsOf(row, labels)]),
      sinceMs,
    },
    {
      type: 'histogram',
      name: prometheusName(GENAI.tokenUsage),
      help: 'Tokens of recorded calls that used some, by token type.',
      bounds: TOKEN_BOUNDS,
      samples: each(tokensOf),
      sinceMs,
    },
    {
      type: 'counter',
      name: 'gatehouse_cost_usd_total',
      help: 'Cost of recorded calls to the accounts, in USD, exact to the nano-dollar.',
      samples: each((row, labels) => [{ labels, value: nanoToText(BigInt(row.cost)) }]),
      sinceMs,
    },
    {
      type: 'counter',
      name: 'gatehouse_requests_total',
      help: 'Recorded calls by outcome: success, rejected (4xx), cancelled (the caller left), error (5xx).',
      samples: each(outcomesOf),
      sinceMs,
    },
    {
      type: 'gauge',
      name: 'gatehouse_outbox_lag_seconds',
      help: 'Time since the start of the oldest recorded call that is not in the totals; 0 = there is none.',
      samples: [{ labels: {}, value: lag }],
    },
  ];
}

const labelsOf = ({ modality, provider, model }: TotalRow): Labels => ({
  [OPERATION]: OPERATION_OF[MODALITY_NAMES.get(modality)!],
  [PROVIDER]: provider,
  [MODEL]: model,
});

const durationsOf = ({ calls, duration_ms, durations }: TotalRow, labels: Labels): HistogramSample => ({
  labels,
  cumulative: countsOf(durations),
  count: Number(calls),
  sum: secondsText(duration_ms),
});

function tokensOf(row: TotalRow, labels: Labels): HistogramSample[] {
  const { input_calls, input_tokens, inputs, output_calls, output_tokens, outputs } = row;
  return (
    [
      ['input', input_calls, input_tokens, inputs],
      ['output', output_calls, output_tokens, outputs],
    ] as const
  )
    .filter(([, calls]) => calls !== '0')
    .map(([type, calls, sum, counts]) => ({
      labels: { ...labels, [TOKEN_TYPE]: type },
      cumulative: countsOf(counts),
      count: Number(calls),
      sum,
    }));
}

const outcomesOf = ({ outcomes }: TotalRow, labels: Labels): Sample[] =>
  countsOf(outcomes).map((value, at) => ({ labels: { ...labels, outcome: OUTCOME_NAMES[at]! }, value }));

const countsOf = (text: string): number[] => text.split(',').map(Number);

/** Milliseconds as exact seconds. */
const secondsText = (ms: string): string => `${ms.slice(0, -3) || '0'}.${ms.slice(-3).padStart(3, '0')}`;
