import type { Sql } from '../../../src/database/sql.js';
import { parseGenerationId } from '../../../src/kernel/ids.js';
import type { SeenStream } from './chat-load.js';

interface RecordedStream {
  readonly id: string;
  readonly cost: bigint;
  readonly status: number;
  readonly cancelled: boolean;
  readonly entries: bigint;
}

export interface StreamCounts {
  readonly billed: number;
  /** Streams whose caller disconnected before the end. */
  readonly cancelled: number;
  /** Streams that were released and recorded as failed because the vendor disconnected. */
  readonly failed: number;
  /** Streams without a record: the gateway was killed, or could not settle in time. */
  readonly lost: number;
  /** The lost streams whose callers did not wait: they had disconnected, or had received the error of the stream. */
  readonly lostAfterEnd: number;
  /** Lost streams without any record: no released reservation, failed settlement or listed call of a swept lease. */
  readonly uncounted: readonly SeenStream[];
}

/**
 * Compares every stream with its record. A stream that reached its usage is billed once, with that usage. A stream
 * whose caller disconnected is billed at most once. A failed stream is not billed.
 */
export async function expectStreamsBilledOnce(sql: Sql, seen: readonly SeenStream[]): Promise<StreamCounts> {
  const started = seen.filter(({ generationId }) => generationId !== undefined);
  const ids = started.map(({ generationId }) => parseGenerationId(generationId!)!);
  expect(new Set(ids).size).toBe(ids.length);
  const rows = await sql.query<RecordedStream>(
    `select g.id, g.cost, g.status, coalesce(d.cancelled, false) as cancelled, coalesce(e.entries, 0) as entries
     from unnest($1::uuid[]) started(id) join generation g on g.id = started.id
     left join generation_detail d on d.id = g.id and d.created_at = g.created_at
     left join (select generation_id, count(*) as entries from ledger_line group by generation_id) e
       on e.generation_id = g.id`,
    [ids],
  );
  const records = Map.groupBy(rows, ({ id }) => id);
  const counted = await sql.query<{ id: string }>(
    `select generation_id as id from reservation where state = 'released' and generation_id = any($1::uuid[])
     union
     select generation_id from billing_anomaly
     where kind in ('settlement_failed', 'outcome_unknown') and generation_id = any($1::uuid[])`,
    [ids],
  );
  const isCounted = new Set(counted.map(({ id }) => id));
  const uncounted: SeenStream[] = [];
  const counts = { billed: 0, cancelled: 0, failed: 0, lost: 0, lostAfterEnd: 0, uncounted };
  for (const [index, stream] of started.entries()) {
    const found = records.get(ids[index]!) ?? [];
    expect(found.length).toBeLessThanOrEqual(1);
    const [record] = found;
    expect(record?.entries ?? 0n).toBe(record && record.cost > 0n ? 1n : 0n);
    if (stream.usage) {
      expect(record).toMatchObject({ status: 200, cost: BigInt(Math.round(stream.usage.cost * 1e9)) });
      expect(record!.cost).toBeGreaterThan(0n);
    }
    if (stream.failed && record) expect(record).toMatchObject({ cost: 0n });
    if (!record && (stream.left || stream.failed)) counts.lostAfterEnd++;
    if (!record && !isCounted.has(ids[index]!)) uncounted.push(stream);
    if (!record) counts.lost++;
    else if (record.cancelled) counts.cancelled++;
    else if (record.status === 200) counts.billed++;
    else counts.failed++;
  }
  return counts;
}

/** The number of calls whose reservation was released by the sweeper, over all accounts. */
export async function unknownOutcomes(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ sum: bigint }>(
    'select coalesce(sum(unknown_outcomes), 0)::bigint as sum from account_balance',
  );
  return Number(row!.sum);
}
