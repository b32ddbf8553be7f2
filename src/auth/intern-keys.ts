import { Injectable } from '@nestjs/common';
import type { LimitReset } from '../database/entities/api-key.entity.js';
import type { SqlSession } from '../database/sql.js';
import { Clock } from '../kernel/clock.js';
import type { Nano } from '../kernel/money.js';
import { SecretValue } from '../kernel/secret-value.js';
import { hashOfKey, labelOfKey, newKeySecret } from './key-secret.js';

/** The intern for which a key is created. */
interface KeyHolder {
  readonly internId: string;
  readonly accountId: string;
  readonly workspaceId: string;
  readonly creatorUserId: string;
  /** The key that created the intern. Null = the intern's key may not spend. */
  readonly creatorKeyNo: number | null;
  readonly name: string;
}

/** The limit of an intern's own key. */
export interface KeyLimit {
  readonly limitNano: Nano | null;
  readonly limitReset: LimitReset | null;
}

/** The row of an intern's key. Earlier versions created one row per boot; only the last row is used. */
const ROW_OF_INTERN = 'no = (select max(no) from api_key where intern_id = $1)';

/**
 * The keys of interns. Each intern has one row, which keeps its usage and its limit. Each boot sets a new secret,
 * because only hashes are stored.
 */
@Injectable()
export class InternKeys {
  constructor(private readonly clock: Clock) {}

  /** Creates the key of an intern, or replaces its secret. The transaction must have locked the row of the intern. */
  async mint(session: SqlSession, holder: KeyHolder): Promise<SecretValue> {
    const secret = newKeySecret();
    const { internId, creatorKeyNo } = holder;
    const minted = [internId, hashOfKey(secret), labelOfKey(secret), `Intern ${holder.name}`, this.clock.now()];
    const rotated = await session.query(
      `update api_key set hash = $2, label = $3, name = $4, updated_at = $5, deleted_at = null, parent_no = $6,
         limit_nano = case when $6::int is null then 0 else limit_nano end
       where ${ROW_OF_INTERN} returning 1`,
      [...minted, creatorKeyNo],
    );
    if (rotated.length === 0)
      await session.query(
        `insert into api_key (intern_id, hash, label, name, created_at, parent_no, account_id, workspace_id,
           creator_user_id, key_class, disabled, include_byok_in_limit, limit_nano, limit_reset)
         select $1, $2, $3, $4, $5, $6, $7, $8, $9, 'intern', false, false,
           case when $6::int is null then 0 else i.limit_nano end, i.limit_reset
         from intern i where i.id = $1`,
        [...minted, creatorKeyNo, holder.accountId, holder.workspaceId, holder.creatorUserId],
      );
    return new SecretValue(secret);
  }

  async revoke(session: SqlSession, internId: string): Promise<void> {
    await session.query('update api_key set deleted_at = $2 where intern_id = $1 and deleted_at is null', [
      internId,
      this.clock.now(),
    ]);
  }

  /** Returns undefined before the first boot. */
  async limitOf(session: SqlSession, internId: string): Promise<KeyLimit | undefined> {
    const [limit] = await session.query<KeyLimit>(
      `select limit_nano as "limitNano", limit_reset as "limitReset" from api_key where ${ROW_OF_INTERN}`,
      [internId],
    );
    return limit;
  }

  /** Sets the limit. A key without a parent gets a limit of 0, so that it may not spend. */
  async setLimit(session: SqlSession, internId: string, { limitNano, limitReset }: KeyLimit): Promise<void> {
    await session.query(
      `update api_key set limit_nano = case when parent_no is null then 0 else $2::bigint end, limit_reset = $3,
         updated_at = $4
       where ${ROW_OF_INTERN}`,
      [internId, limitNano, limitReset, this.clock.now()],
    );
  }
}
