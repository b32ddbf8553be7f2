import { Logger } from '@nestjs/common';
import type { Sql, StatementOptions } from '../../../database/sql.js';
import { NEW_ENTRIES_MS } from '../sql/limits.sql.js';

/** A late post reads entries that are older by this than the time since the oldest write that it knows. */
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
      `settlement_failed: ${row!.lost} calls of account ${accountNo} could not be posted from the journal, and are ` +
        'not billed. They are listed as anomalies.',
    );
}

/**
 * Posts the journals of all accounts that have entries, in one transaction for each account. If some fail, posts
 * the others, and throws the first error at the end.
 */
export async function postJournals(
  sql: Sql,
  maxAgeMs: number | null = LATE_ENTRIES_MS,
  options?: StatementOptions,
): Promise<void> {
  const accounts = await sql.query<{ no: number }>(
    `select distinct v.account_no as no from reservation v
     where v.state = 'reserved' and v.lends_until is not null
       and exists (select from ledger_journal j where j.account_no = v.account_no)`,
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
