import { insertAccount, insertKey } from '../database/row-builders.js';
import { Sql } from '../../../src/database/sql.js';
import { compositeArrayText } from '../../../src/billing/ledger/composite-text.js';
import { detailsText, usageRow } from '../../../src/billing/ledger/ledger-rows.js';
import type { Finish, ReservationOutcome, ReservationRequest } from '../../../src/billing/ledger/ledger.js';

export const START = Date.parse('2026-11-20T12:00:00Z');
export const HOUR_MS = 3_600_000;

/** `reserved`, or the reason for the refusal. */
export const reasonOf = (outcome: ReservationOutcome): string => (outcome === 'reserved' ? outcome : outcome.reason);

/** An outcome as the text that the functions of the database return. */
export const textOf = (outcome: ReservationOutcome): string =>
  outcome === 'reserved' || outcome.remaining === undefined
    ? reasonOf(outcome)
    : `${outcome.reason} ${outcome.remaining}`;

/** The kinds of keys. Each account has one key of each kind. */
export const KEYS = [
  {},
  { limit_nano: 90 },
  { limit_nano: 60, limit_reset: 'daily' },
  { limit_nano: 60, limit_reset: 'weekly', include_byok_in_limit: true },
  { limit_nano: 90, limit_reset: 'monthly' },
  { limit_nano: 40, include_byok_in_limit: true },
  { disabled: true },
  { expires_at: new Date(START + 40 * HOUR_MS) },
  { deleted_at: new Date(START) },
] as const;

export interface Twin {
  readonly accountNo: number;
  readonly keyNos: readonly number[];
}

export async function addTwin(sql: Sql, granted: number): Promise<Twin> {
  const account = await insertAccount(sql, { granted });
  const keyNos: number[] = [];
  for (const key of KEYS) keyNos.push((await insertKey(sql, account, key)).no);
  return { accountNo: account.no, keyNos };
}

/** Reserves and finishes one call by the general functions of the ledger, without the fast path for single calls. */
export const generalLedgerOn = (sql: Sql) => ({
  async reserve({
    id,
    generationId,
    accountNo,
    keyNo,
    accountAmount,
    keyAmount,
    at,
  }: ReservationRequest): Promise<string> {
    const item = [id, generationId, accountNo, keyNo, null, accountAmount, keyAmount, 0, at.toISOString(), null];
    const [row] = await sql.query<{ outcome: string }>('select outcome from ledger_reserve_items($1, $2)', [
      30_000,
      compositeArrayText([item]),
    ]);
    return row!.outcome;
  },
  async finish({ reservationId, accountNo, keyNo, settle, cost, byokCost, record }: Finish): Promise<string> {
    const [row] = await sql.query<{ outcome: string }>('select outcome from ledger_finish_generally($1, $2, $3)', [
      compositeArrayText([[reservationId, accountNo, keyNo, settle, cost, byokCost]]),
      compositeArrayText([usageRow(record, settle ? cost : 0n)]),
      detailsText([record]),
    ]);
    return row!.outcome;
  },
});

export const stateOfTwin = async (sql: Sql, { accountNo, keyNos }: Twin): Promise<unknown> =>
  (
    await sql.query<{ state: unknown }>(
      `select jsonb_build_object(
           'account', (select to_jsonb(a) - 'account_no' from account_balance a
               where account_no = $1),
           'keys', (select jsonb_agg(to_jsonb(b) - '{account_no,key_no,alert_at}'::text[] order by key_no)
               from key_balance b where key_no = any($2::int[])),
           'thresholds', (select jsonb_agg(e.it order by e.it) from (
               select jsonb_build_array(array_position($2::int[], split_part(once, ' ', 1)::int), data -> 'threshold',
                 data -> 'window_start', data -> 'usage') as it
               from event where account_no = $1 and type = 'key.limit.threshold') e),
           'reservations', (select jsonb_agg(jsonb_build_array(state, account_amount, key_amount, created_at)
               order by id) from reservation where account_no = $1),
           'records', (select jsonb_agg(to_jsonb(g) - '{id,account_no,key_no}'::text[] order by id)
               from generation g where account_no = $1),
           'details', (select jsonb_agg(to_jsonb(d) - '{id,account_no}'::text[] order by d.id)
               from generation_detail d join generation g on g.id = d.id where g.account_no = $1),
           'entries', (select jsonb_agg(jsonb_build_array(kind, amount, created_at) order by created_at, generation_id)
               from ledger_line where account_no = $1),
           'outbox', (select count(*) from outbox_call o join generation g on g.id = o.generation_id
               where g.account_no = $1)) as state`,
      [accountNo, keyNos],
    )
  )[0]!.state;
