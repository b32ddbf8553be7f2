import { insertAccount, insertKey, insertWorkspace } from '../database/row-builders.js';
import { randomUUID } from 'node:crypto';
import type { Sql } from '../../../src/database/sql.js';
import type { SampleAccount } from './usage-sample.js';

const KEYS = 6;
const WORKSPACES = 3;

/** Inserts three accounts with workspaces, members and keys directly into the tables. */
export async function addAccounts(sql: Sql): Promise<readonly SampleAccount[]> {
  return [await addAccount(sql, 'first'), await addAccount(sql, 'second'), await addAccount(sql, 'third')];
}

async function addAccount(sql: Sql, name: string): Promise<SampleAccount> {
  const account = await insertAccount(sql, { name });
  const workspaces = [];
  for (let index = 0; index < WORKSPACES; index++)
    workspaces.push(await insertWorkspace(sql, account, { slug: `workspace-${index}`, isDefault: index === 0 }));
  const keys = [];
  const users = [null, randomUUID(), randomUUID()];
  for (let index = 0; index < KEYS; index++)
    keys.push(
      await insertKey(sql, account, {
        workspace_id: workspaces[0]!.id,
        creator_user_id: users[index % users.length],
      }),
    );
  return { ...account, keys, workspaces };
}
