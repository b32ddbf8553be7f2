import { Logger } from '@nestjs/common';
import type { Sql, StatementOptions } from '../../../database/sql.js';
import { NEW_ENTRIES_MS } from '../sql/limits.sql.js';

/** Entries that a service left unposted are normally younger than this, because its leases end earlier. */
export const LATE_ENTRIES_MS = 600_000;

/**
 * Posts the calls of an account in the journal, without entries that are older than `maxAgeMs`; null = all. Logs calls
 * that cannot be settled.
 */
export async function postJournal(
  sql: Sql,
  accountNo: number,
  maxAgeMs: number | null = NEW_ENTRIES_MS,
  options?: StatementOptions,
): Promise<void> {
  const [row] = await sql.query<{ lost: number }>(
    'select ledger_post_journal($1, $2) as lost',
    [accountNo, maxAgeMs],
    options,
  );
  if (row!.lost > 0)
    new Logger('Billing').error(
      `settlement_failed: ${row!.lost} calls of account ${accountNo} ended after their credit lease was closed, and ` +
        'are not billed. They are listed as anomalies.',
    );
}

/**
 * Posts the journals of all accounts with open credit leases, in one transaction for each account. If some fail, posts
 * the others, and throws the first error at the end.
 */
export async function postJournals(
  sql: Sql,
  maxAgeMs: number | null = LATE_ENTRIES_MS,
  options?: StatementOptions,
): Promise<void> {
  const accounts = await sql.query<{ no: number }>(
    `select distinct account_no as no from reservation where state = 'reserved' and lends_until is not null`,
    [],
    options,
  );
  await postEach(accounts, ({ no }) => postJournal(sql, no, maxAgeMs, options));
}

/** Runs a post for each account, one after the other. If some fail, throws the first error at the end. */
export async function postEach<Account>(
  accounts: Iterable<Account>,
  post: (account: Account) => Promise<void>,
): Promise<void> {
  const errors: unknown[] = [];
  for (const account of accounts) await post(account).catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}
