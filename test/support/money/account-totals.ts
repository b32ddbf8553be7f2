import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../../../src/database/sql.js';

/** Sums over all accounts, in nano-dollars. */
export interface AccountTotals {
  readonly spent: bigint;
  readonly reserved: bigint;
}

export async function accountTotals(sql: Sql): Promise<AccountTotals> {
  const [row] = await sql.query<AccountTotals>(
    'select sum(spent)::bigint as spent, sum(reserved)::bigint as reserved from account_balance',
  );
  return row!;
}

/** The spent amount, after all reservations have ended. */
export async function settledSpend(sql: Sql): Promise<bigint> {
  for (let waited = 0; waited < 5_000; waited += 20) {
    const { spent, reserved } = await accountTotals(sql);
    if (reserved === 0n) return spent;
    await sleep(20);
  }
  throw new Error('a reservation stays open');
}
