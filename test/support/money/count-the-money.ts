import { postJournals } from '../../../src/billing/ledger/commits/journal-posts.js';
import type { Sql } from '../../../src/database/sql.js';
import { parseGenerationId } from '../../../src/kernel/ids.js';
import { eventually } from '../eventually.js';
import type { SeenCall } from './speech-load.js';

/** The sums in the ledger's tables for all accounts, in nano-dollars; `openReservations` is a number of rows. */
export interface Books {
  readonly generations: bigint;
  readonly entries: bigint;
  readonly accountSpent: bigint;
  readonly keysUsage: bigint;
  readonly accountReserved: bigint;
  readonly keysReserved: bigint;
  readonly openReservations: bigint;
  readonly openAmount: bigint;
  /** The amount on keys. A call of an intern also reserves on the key that created the intern. */
  readonly openKeysAmount: bigint;
  readonly budgetsReserved: bigint;
  readonly openBudgetsAmount: bigint;
}

/** Reads the books in one snapshot. */
export async function readBooks(sql: Sql): Promise<Books> {
  const [row] = await sql.query<Books>(`select
    (select coalesce(sum(cost), 0)::bigint from generation) as generations,
    (select coalesce(-sum(amount), 0)::bigint from ledger_line where kind = 'generation') as entries,
    (select coalesce(sum(spent), 0)::bigint from account_balance) as "accountSpent",
    (select coalesce(sum(usage), 0)::bigint from key_balance) as "keysUsage",
    (select coalesce(sum(reserved), 0)::bigint from account_balance) as "accountReserved",
    (select coalesce(sum(reserved), 0)::bigint from key_balance) as "keysReserved",
    (select count(*) from reservation where state = 'reserved') as "openReservations",
    (select coalesce(sum(account_amount), 0)::bigint from reservation where state = 'reserved') as "openAmount",
    (select coalesce(sum(key_amount + parent_amount), 0)::bigint from reservation where state = 'reserved')
      as "openKeysAmount",
    (select coalesce(sum(reserved), 0)::bigint from budget_balance) as "budgetsReserved",
    (select coalesce(sum(coalesce(n.amount, v.account_amount + v.unposted_freed)), 0)::bigint
     from reservation v cross join lateral unnest(v.budget_nos, v.budget_amounts) as n(no, amount)
     where v.state = 'reserved') as "openBudgetsAmount"`);
  return row!;
}

/** The amounts that must be equal at any time, even after a crash. */
const EQUAL: readonly (readonly [keyof Books, keyof Books])[] = [
  ['entries', 'generations'],
  ['accountSpent', 'generations'],
  ['keysUsage', 'generations'],
  ['accountReserved', 'openAmount'],
  ['keysReserved', 'openKeysAmount'],
  ['budgetsReserved', 'openBudgetsAmount'],
];

export function expectBalanced(books: Books): void {
  expect(imbalances(books)).toEqual([]);
}

/** Waits until no reservation is open, and checks the books. Returns them. */
export async function expectSettled(sql: Sql, withinMs?: number): Promise<Books> {
  const books = await eventually(async () => {
    const now = await readBooks(sql);
    expect(now.openReservations).toBe(0n);
    return now;
  }, withinMs);
  expectBalanced(books);
  return books;
}

/** The pairs of amounts that differ but must be equal, one line each. Does not need Jest. */
export const imbalances = (books: Books): string[] =>
  EQUAL.filter(([one, other]) => books[one] !== books[other]).map(
    ([one, other]) => `${one} is ${books[one]}, ${other} is ${books[other]}`,
  );

/** Checks that every completely received response is billed exactly once. */
export async function expectWholeAnswersBilledOnce(sql: Sql, seen: readonly SeenCall[]): Promise<number> {
  const whole = seen
    .filter((call) => call.whole && call.status === 200)
    .map((call) => parseGenerationId(call.generationId!)!);
  expect(new Set(whole).size).toBe(whole.length);
  await postJournals(sql);
  const rows = await sql.query<{ id: string }>('select id from generation where id = any($1::uuid[]) and cost > 0', [
    whole,
  ]);
  expect(rows.map(({ id }) => id).toSorted()).toEqual(whole.toSorted());
  const entries = await sql.query<{ generation_id: string; times: bigint }>(
    `select generation_id, count(*) as times
     from ledger_line
     where generation_id = any($1::uuid[])
     group by 1
     having count(*) <> 1`,
    [whole],
  );
  expect(entries).toEqual([]);
  return whole.length;
}
