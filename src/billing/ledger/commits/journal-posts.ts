import type { Sql, StatementOptions } from '../../../database/sql.js';
import { NEW_ENTRIES_MS } from '../sql/limits.sql.js';

/** Posts the calls of an account in the journal, without entries that are older than `maxAgeMs`; null = all. */
export async function postJournal(
  sql: Sql,
  accountNo: number,
  maxAgeMs: number | null = NEW_ENTRIES_MS,
  options?: StatementOptions,
): Promise<void> {
  await sql.query('select ledger_post_journal($1, $2)', [accountNo, maxAgeMs], options);
}

/** Posts the journals of all accounts, in one transaction for each account. */
export async function postJournals(sql: Sql, options?: StatementOptions): Promise<void> {
  const accounts = await sql.query<{ no: number }>('select distinct account_no as no from ledger_journal', [], options);
  for (const { no } of accounts) await postJournal(sql, no, null, options);
}
