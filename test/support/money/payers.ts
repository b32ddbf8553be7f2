import { randomBytes } from 'node:crypto';
import { hashOfKey } from '../../../src/auth/key-secret.js';
import type { Sql } from '../../../src/database/sql.js';
import { newId } from '../../../src/kernel/ids.js';
import { insertAccount, insertKey, insertWorkspace } from '../database/row-builders.js';
import type { RandomNumbers } from '../random-numbers.js';
import { WORST_CASE_NANO, type SeenStream } from './chat-load.js';

/** An account with a key, and the calls of the key. */
export interface Payer {
  readonly accountNo: number;
  readonly secret: string;
  readonly credits: bigint;
  readonly calls: Promise<SeenStream>[];
}

/** The sums of an account in the ledger's tables, in nano-dollars; `calls` is a number of billed calls. */
export interface AccountBooks {
  readonly account_no: number;
  readonly balance: bigint;
  readonly entries: bigint;
  readonly spent: bigint;
  readonly billed: bigint;
  readonly calls: number;
  readonly reserved: bigint;
  readonly keys_reserved: bigint;
  readonly leased: bigint;
}

/** Creates an account whose credits cover a random number of calls, at most `maxCalls`, plus a part of one call. */
export async function makePayer(sql: Sql, random: RandomNumbers, maxCalls: number): Promise<Payer> {
  const covered = random.int(0, maxCalls);
  const credits = WORST_CASE_NANO * BigInt(covered) + BigInt(random.int(0, Number(WORST_CASE_NANO) - 1));
  const account = await insertAccount(sql, { granted: Number(credits) });
  await sql.query(
    `insert into ledger_entry (account_no, kind, amount, idempotency_id, created_at)
     values ($1, 'grant', $2, $3, now())`,
    [account.no, credits, newId()],
  );
  const workspace = await insertWorkspace(sql, account);
  const secret = `sk-or-v1-${randomBytes(32).toString('hex')}`;
  await insertKey(sql, account, { hash: hashOfKey(secret), workspace_id: workspace.id });
  return { accountNo: account.no, secret, credits, calls: [] };
}

export const accountBooks = (sql: Sql, accountNos: readonly number[]): Promise<AccountBooks[]> =>
  sql.query<AccountBooks>(
    `select b.account_no, b.granted - b.spent as balance, b.spent, b.reserved,
       (select coalesce(sum(l.amount), 0)::bigint from ledger_line l where l.account_no = b.account_no) as entries,
       (select coalesce(sum(g.cost), 0)::bigint from generation g where g.account_no = b.account_no) as billed,
       (select count(*)::int from generation g where g.account_no = b.account_no and g.cost > 0) as calls,
       (select sum(k.reserved)::bigint from key_balance k join api_key a on a.no = k.key_no
         join account c on c.id = a.account_id where c.no = b.account_no) as keys_reserved,
       (select coalesce(sum(v.account_amount), 0)::bigint from reservation v
         where v.account_no = b.account_no and v.state = 'reserved') as leased
     from account_balance b where b.account_no = any($1::int[])`,
    [accountNos],
  );
