import type { Sql } from '../../src/database/sql.js';
import { parseGenerationId } from '../../src/kernel/ids.js';
import type { SeenCall } from './speech-load.js';

/** What the ledger's tables say of one account, in nano-dollars. */
export interface Books {
  readonly generations: bigint;
  readonly entries: bigint;
  readonly accountSpent: bigint;
  readonly keysUsage: bigint;
  readonly accountReserved: bigint;
  readonly keysReserved: bigint;
  readonly openReservations: bigint;
  readonly openAmount: bigint;
}

/** Reads the books in one snapshot. */
export async function readBooks(sql: Sql): Promise<Books> {
  const [row] = await sql.query<Books>(`select
    (select coalesce(sum(cost), 0)::bigint from generation) as generations,
    (select coalesce(-sum(amount), 0)::bigint from ledger_entry where kind = 'generation') as entries,
    (select coalesce(sum(spent), 0)::bigint from account_balance) as "accountSpent",
    (select coalesce(sum(usage), 0)::bigint from key_balance) as "keysUsage",
    (select coalesce(sum(reserved), 0)::bigint from account_balance) as "accountReserved",
    (select coalesce(sum(reserved), 0)::bigint from key_balance) as "keysReserved",
    (select count(*) from reservation where state = 'reserved') as "openReservations",
    (select coalesce(sum(account_amount), 0)::bigint from reservation where state = 'reserved') as "openAmount"`);
  return row!;
}

/** The rules that hold at every moment, whatever died. */
export function expectBalanced(books: Books): void {
  expect(books.entries).toBe(books.generations);
  expect(books.accountSpent).toBe(books.generations);
  expect(books.keysUsage).toBe(books.generations);
  expect(books.accountReserved).toBe(books.openAmount);
  expect(books.keysReserved).toBe(books.openAmount);
}

/** Every answer that a client received whole is billed, exactly once. */
export async function expectWholeAnswersBilledOnce(sql: Sql, seen: readonly SeenCall[]): Promise<number> {
  const whole = seen
    .filter((call) => call.whole && call.status === 200)
    .map((call) => parseGenerationId(call.generationId!)!);
  expect(new Set(whole).size).toBe(whole.length);
  const rows = await sql.query<{ id: string }>('select id from generation where id = any($1::uuid[]) and cost > 0', [
    whole,
  ]);
  expect(rows.map(({ id }) => id).toSorted()).toEqual(whole.toSorted());
  const entries = await sql.query<{ generation_id: string; times: bigint }>(
    'select generation_id, count(*) as times from ledger_entry where generation_id = any($1::uuid[]) group by 1 having count(*) <> 1',
    [whole],
  );
  expect(entries).toEqual([]);
  return whole.length;
}
