import { Injectable } from '@nestjs/common';
import type { SqlSession } from '../database/sql.js';
import { Clock } from '../kernel/clock.js';
import { SecretValue } from '../kernel/secret-value.js';
import { hashOfKey, labelOfKey, newKeySecret } from './key-secret.js';

/** Whose key it is. */
export interface KeyHolder {
  readonly internId: string;
  readonly accountId: string;
  readonly workspaceId: string;
  readonly creatorUserId: string;
  readonly name: string;
}

/** The keys of interns: one per boot, because only hashes are stored. Deleted rows stay, so that past usage keeps its name. */
@Injectable()
export class InternKeys {
  constructor(private readonly clock: Clock) {}

  /** Mints a key for a boot and revokes the one of the boot before, in the caller's transaction. */
  async mint(session: SqlSession, holder: KeyHolder): Promise<SecretValue> {
    await this.revoke(session, holder.internId);
    const secret = newKeySecret();
    await session.query(
      `insert into api_key (hash, account_id, workspace_id, key_class, name, label, disabled, include_byok_in_limit, creator_user_id, intern_id, created_at)
       values ($1, $2, $3, 'intern', $4, $5, false, false, $6, $7, $8)`,
      [
        hashOfKey(secret),
        holder.accountId,
        holder.workspaceId,
        `Intern ${holder.name}`,
        labelOfKey(secret),
        holder.creatorUserId,
        holder.internId,
        this.clock.now(),
      ],
    );
    return new SecretValue(secret);
  }

  async revoke(session: SqlSession, internId: string): Promise<void> {
    await session.query('update api_key set deleted_at = $2 where intern_id = $1 and deleted_at is null', [
      internId,
      this.clock.now(),
    ]);
  }
}
