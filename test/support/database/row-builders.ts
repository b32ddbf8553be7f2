import { newId } from '../../../src/kernel/ids.js';
import type { Sql } from '../../../src/database/sql.js';

/** Rows inserted directly into the tables, for tests of code below the API without a service. */
export interface AccountRow {
  readonly no: number;
  readonly id: string;
}

/** `granted` in nano-dollars. */
export async function insertAccount(
  sql: Sql,
  { name = 'a', granted = 0 }: { readonly name?: string; readonly granted?: number } = {},
): Promise<AccountRow> {
  const [account] = await sql.query<{ no: number; id: string }>(
    'insert into account (id, name, created_at) values ($1, $2, now()) returning no, id',
    [newId(), name],
  );
  if (granted > 0)
    await sql.query('update account_balance set granted = $2 where account_no = $1', [account!.no, granted]);
  return account!;
}

export async function insertWorkspace(
  sql: Sql,
  account: AccountRow,
  { slug = 'w', isDefault = true }: { readonly slug?: string; readonly isDefault?: boolean } = {},
): Promise<{ readonly no: number; readonly id: string }> {
  const [workspace] = await sql.query<{ no: number; id: string }>(
    `insert into workspace (id, account_id, name, slug, is_default, interns_allowed, created_at)
     values ($1, $2, $3, $3, $4, true, now())
     returning no, id`,
    [newId(), account.id, slug, isDefault],
  );
  return workspace!;
}

/** Columns of `api_key`. The defaults describe a plain enabled key. */
export interface KeyColumns {
  readonly hash?: string;
  readonly workspace_id?: string;
  readonly disabled?: boolean;
  readonly limit_nano?: number;
  readonly limit_reset?: string | null;
  readonly include_byok_in_limit?: boolean;
  readonly creator_user_id?: string | null;
  readonly parent_no?: number;
  readonly expires_at?: Date;
  readonly deleted_at?: Date;
}

export async function insertKey(
  sql: Sql,
  account: AccountRow,
  columns: KeyColumns = {},
): Promise<{ readonly no: number; readonly hash: string; readonly user: string | null }> {
  const [key] = await sql.query<{ no: number; hash: string; user: string | null }>(
    `insert into api_key (hash, account_id, workspace_id, key_class, name, label, disabled, limit_nano,
       limit_reset, include_byok_in_limit, creator_user_id, parent_no, expires_at, deleted_at, created_at)
     select coalesce(hash, md5($1) || md5($1 || 'x')), $2::uuid, coalesce(workspace_id, $2::uuid),
       'standard', 'k', 'k', coalesce(disabled, false), limit_nano, limit_reset,
       coalesce(include_byok_in_limit, false), creator_user_id, parent_no, expires_at, deleted_at, now()
     from json_to_record($3) as k(hash text, workspace_id uuid, disabled boolean, limit_nano bigint,
       limit_reset text, include_byok_in_limit boolean, creator_user_id uuid, parent_no int,
       expires_at timestamptz, deleted_at timestamptz)
     returning no, hash, creator_user_id as "user"`,
    [newId(), account.id, JSON.stringify(columns)],
  );
  return key!;
}
