import { Injectable } from '@nestjs/common';
import type { ApiKey } from '../../database/entities/api-key.entity.js';
import { Sql, type SqlSession } from '../../database/sql.js';
import { Clock } from '../../kernel/clock.js';
import type { FormerSecret } from '../known-key.js';

type NumberedKey = Pick<ApiKey, 'no' | 'hash' | 'label'>;

/**
 * The hashes that keys had before their secrets were rotated. One finds its key until it expires; the row stays, so
 * that the secret is never issued again.
 */
@Injectable()
export class KeyAliases {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {}

  /** The number of the key that had the hash, while it is valid. */
  async keyNoOf(hash: string, session: SqlSession = this.sql): Promise<number | undefined> {
    const [row] = await session.query<{ key_no: number }>(
      'select key_no from key_alias where hash = $1 and expires_at > $2',
      [hash, this.clock.now()],
    );
    return row?.key_no;
  }

  /** Whether the hash was replaced by a rotation at any time. */
  async isKnown(hash: string): Promise<boolean> {
    return (await this.sql.query('select from key_alias where hash = $1', [hash])).length > 0;
  }

  /** Makes the hash of the key a former one. It and all others are valid for `graceSeconds` at most from now on. */
  async add(session: SqlSession, { no, hash, label }: NumberedKey, graceSeconds: number): Promise<void> {
    const now = this.clock.now();
    const until = new Date(now.getTime() + graceSeconds * 1_000);
    await session.query('update key_alias set expires_at = $2 where key_no = $1 and expires_at > $2', [no, until]);
    await session.query(
      'insert into key_alias (hash, key_no, label, rotated_at, expires_at) values ($1, $2, $3, $4, $5)',
      [hash, no, label, now, until],
    );
  }

  /** The former secrets of a key that are still valid, the newest first. */
  async validOf(keyNo: number): Promise<FormerSecret[]> {
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
