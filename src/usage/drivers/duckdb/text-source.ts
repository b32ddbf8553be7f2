import type { SqlSession } from '../../../database/sql.js';

export interface LabelText {
  readonly id: number;
  readonly kind: number;
  readonly value: string;
}

export interface KeyText {
  readonly no: number;
  readonly hash: string;
  readonly user: string | null;
}

/** The texts of labels, keys and workspaces, by number. Only the hashes of keys change. */
export class TextSource {
  constructor(private readonly sql: SqlSession) {}

  labels(ids: readonly number[]): Promise<LabelText[]> {
    return this.sql.query('select id, kind, value from usage_label where id = any($1)', [ids]);
  }

  keys(nos: readonly number[]): Promise<KeyText[]> {
    return this.sql.query(
      'select no, hash::text as hash, creator_user_id::text as "user" from api_key where no = any($1)',
      [nos],
    );
  }

  /** The keys whose secrets were rotated within the last `withinMs` milliseconds; null = at any time. */
  rotatedKeys(withinMs: number | null): Promise<Pick<KeyText, 'no' | 'hash'>[]> {
    return this.sql.query(
      `select k.no, k.hash::text as hash from api_key k
       where k.no in (
         select key_no from key_alias where $1::float8 is null or rotated_at > now() - $1 * interval '1 ms')`,
      [withinMs],
    );
  }

  workspaces(nos: readonly number[]): Promise<{ no: number; id: string }[]> {
    return this.sql.query('select no, id::text as id from workspace where no = any($1)', [nos]);
  }
}
