import { randomUUID } from 'node:crypto';
import type { Sql } from '../../../src/database/sql.js';
import type { SampleAccount } from './usage-sample.js';

const KEYS = 6;
const WORKSPACES = 3;

/** Two accounts with workspaces, members and keys, straight in the tables. */
export async function addAccounts(sql: Sql): Promise<readonly SampleAccount[]> {
  return [await addAccount(sql, 'first'), await addAccount(sql, 'second')];
}

async function addAccount(sql: Sql, name: string): Promise<SampleAccount> {
  const [account] = await sql.query<{ no: number; id: string }>(
    'insert into account (id, name, created_at) values ($1, $2, now()) returning no, id',
    [randomUUID(), name],
  );
  const { no, id } = account!;
  const workspaces = [];
  for (let index = 0; index < WORKSPACES; index++) {
    const [workspace] = await sql.query<{ no: number; id: string }>(
      `insert into workspace (id, account_id, name, slug, is_default, interns_allowed, created_at) values ($1, $2, $3, $3, $4, true, now()) returning no, id`,
      [randomUUID(), id, `workspace-${index}`, index === 0],
    );
    workspaces.push(workspace!);
  }
  const keys = [];
  const users = [null, randomUUID(), randomUUID()];
  for (let index = 0; index < KEYS; index++) {
    const [key] = await sql.query<{ no: number; hash: string; user: string | null }>(
      `insert into api_key (hash, account_id, workspace_id, key_class, name, label, disabled, include_byok_in_limit, creator_user_id, created_at)
       values ($1, $2, $3, 'standard', 'k', 'k', false, false, $4, now()) returning no, hash, creator_user_id as "user"`,
      [randomUUID().replaceAll('-', '').repeat(2), id, workspaces[0]!.id, users[index % users.length]],
    );
    keys.push(key!);
  }
  return { no, id, keys, workspaces };
}
