import { Injectable } from '@nestjs/common';
import type { ApiKey } from '../../database/entities/api-key.entity.js';
import { Sql, type SqlSession } from '../../database/sql.js';
import { Clock } from '../../kernel/clock.js';
import type { FormerSecret } from '../known-key.js';

type NumberedKey = Pick<ApiKey, 'no' | 'hash' | 'label'>;

/**
 * The former hashes of keys whose secrets were rotated. A key is found by a former hash until the hash expires. The row
 * of the hash is kept, so that the secret is never issued again.
 */
@Injectable()
export class KeyAliases {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {}

  /** Returns the number of the key that had the hash; undefined if the hash is no former hash or has expired. */
  async keyNoOf(hash: string, session: SqlSession = this.sql): Promise<number | undefined> {
    const [row] = await session.query<{ key_no: number }>(
      'select key_no from key_alias where hash = $1 and expires_at > $2',
      [hash, this.clock.now()],
    );
    return row?.key_no;
  }

  /** Whether a key has or had the hash at any time, deleted keys included. */
  async isKnown(hash: string, session: SqlSession = this.sql): Promise<boolean> {
    const found = await session.query(
      'select 1 from api_key where hash = $1 union all select 1 from key_alias where hash = $1',
      [hash],
    );
    return found.length > 0;
  }

  /**
   * Makes the hash a former hash of the key. All former hashes of the key, including this one, are then valid for at
   * most `graceSeconds`.
   */
  async add(session: SqlSession, { no, hash, label }: NumberedKey, graceSeconds: number): Promise<void> {
    const now = this.clock.now();
    const until = new Date(now.getTime() + graceSeconds * 1_000);
    await session.query('update key_alias set expires_at = $2 where key_no = $1 and expires_at > $2', [no, until]);
    await session.query(
      'insert into key_alias (hash, key_no, label, rotated_at, expires_at) values ($1, $2, $3, $4, $5)',
      [hash, no, label, now, until],
    );
  }

  /** The former secrets of a key that are still valid, newest first. */
  validOf(keyNo: number): Promise<FormerSecret[]> {
    return this.sql.query<FormerSecret>(
      `select hash, label, rotated_at as "replacedAt", expires_at as "endsAt" from key_alias
       where key_no = $1 and expires_at > $2 order by rotated_at desc, hash`,
      [keyNo, this.clock.now()],
    );
  }

  /** Ends all former secrets of a key, and returns their hashes. Every replica is notified at commit. */
  async end(session: SqlSession, keyNo: number): Promise<string[]> {
    const ended = await session.query<{ hash: string }>(
      `with ended as (
         update key_alias set expires_at = $2 where key_no = $1 and expires_at > $2 returning hash)
       select hash, pg_notify('api_key_changed', hash) from ended`,
      [keyNo, this.clock.now()],
    );
    return ended.map(({ hash }) => hash);
  }
}
