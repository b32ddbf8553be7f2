import { Injectable } from '@nestjs/common';
import { Sql, type SqlSession } from '../../database/sql.js';
import { Clock } from '../../kernel/clock.js';

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

  /** `hash` and all former hashes of the key are valid for `graceSeconds` at most from now on. */
  async add(session: SqlSession, keyNo: number, hash: string, graceSeconds: number): Promise<void> {
    const until = new Date(this.clock.now().getTime() + graceSeconds * 1_000);
    await session.query('update key_alias set expires_at = $2 where key_no = $1 and expires_at > $2', [keyNo, until]);
    await session.query('insert into key_alias (hash, key_no, expires_at) values ($1, $2, $3)', [hash, keyNo, until]);
  }
}
