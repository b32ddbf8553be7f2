import { setTimeout as sleep } from 'node:timers/promises';
import type { SqlSession } from '../../../src/database/sql.js';
import { newId } from '../../../src/kernel/ids.js';

/** Columns of `generation`. */
interface RecordedCall {
  readonly id?: string;
  readonly created_at?: Date;
  readonly account_no?: number;
  readonly model?: number;
  readonly provider?: number;
  readonly cost?: bigint;
  readonly tokens_prompt?: number;
  readonly duration_ms?: number;
  readonly status?: number;
}

type Session = Pick<SqlSession, 'query'>;

const CALL = {
  cost: 0n,
  tokens_prompt: 0,
  tokens_completion: 0,
  account_no: 1,
  workspace_no: 1,
  key_no: 1,
  model: 1,
  provider: 1,
  latency_ms: 1,
  duration_ms: 1,
  status: 200,
  modality: 3,
  is_byok: false,
  streamed: false,
  synthetic: false,
};

/** Writes records and their outbox entries, like settlements. */
export async function recordCalls(session: Session, calls: readonly RecordedCall[]): Promise<void> {
  const rows = calls.map((call) => ({ id: newId(), created_at: new Date(), ...CALL, ...call }));
  await session.query(
    `with made as (
       insert into generation select * from json_populate_recordset(null::generation, $1) returning id, created_at)
     insert into outbox (generation_ids, times) select array_agg(id), array_agg(created_at) from made`,
    [JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value))],
  );
}

/**
 * Waits until every transaction that started before the outbox entries were written has ended, including transactions
 * of other tests on the same server.
 */
export async function outboxSettled(session: Session): Promise<void> {
  while ((await session.query('select from outbox where xid >= pg_snapshot_xmin(pg_current_snapshot())')).length > 0)
    await sleep(10);
}
