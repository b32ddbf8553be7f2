import type { Sql } from '../../../database/sql.js';

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

/** The texts behind the numbers of records, by number. */
export class TextSource {
  constructor(private readonly sql: Sql) {}

  labels(ids: readonly number[]): Promise<LabelText[]> {
    return this.sql.query('select id, kind, value from usage_label where id = any($1)', [ids]);
  }

  keys(nos: readonly number[]): Promise<KeyText[]> {
    return this.sql.query(
      'select no, hash::text as hash, creator_user_id::text as "user" from api_key where no = any($1)',
      [nos],
    );
  }

  workspaces(nos: readonly number[]): Promise<{ no: number; id: string }[]> {
    return this.sql.query('select no, id::text as id from workspace where no = any($1)', [nos]);
  }
}
