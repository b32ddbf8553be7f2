import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../audit/audit-trail.js';
import { ApiKeys, type IssuedKey, type NewKey } from '../auth/api-keys.js';
import type { ApiKey, LimitReset } from '../database/entities/api-key.entity.js';
import { Sql, type SqlSession } from '../database/sql.js';
import { PERMISSIONS, type Role } from '../kernel/access/permissions.js';
import type { CallerPlace } from '../kernel/caller-place.js';
import { Clock } from '../kernel/clock.js';
import { forbidden, GatewayError } from '../kernel/errors/errors.js';
import type { Nano } from '../kernel/money.js';
import { hashOfCode } from './authorization-codes.js';
import { matchesChallenge, checkedMethod, type ChallengeMethod } from './code-challenge.js';

/** The data with which an application requests its key. */
interface CodeProof {
  readonly code: string;
  readonly verifier?: string;
  readonly method?: string | null;
}

interface CodeRow {
  readonly hash: string;
  readonly accountId: string;
  readonly userId: string | null;
  readonly workspaceId: string;
  readonly challenge: string | null;
  readonly method: ChallengeMethod | null;
  readonly keyName: string;
  readonly limitNano: Nano | null;
  readonly limitReset: LimitReset | null;
  readonly keyExpiresAt: Date | null;
  readonly expiresAt: Date;
  readonly usedAt: Date | null;
  readonly keyNo: number | null;
  readonly makerHash: string;
  readonly isMakerStopped: boolean;
  readonly role: Role | null;
  readonly administersWorkspace: boolean;
}

const invalid = (): GatewayError => forbidden('Invalid code or code_verifier');

/** Exchanges codes for keys, each code only once. */
@Injectable()
export class CodeExchange {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly keys: ApiKeys,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Returns the key for a code. Throws a 400 for an unknown `method`. Throws a 403 if the code is unknown, used or
   * expired, if the verifier does not match, or if the creator of the code may no longer create keys. A second use of a
   * code disables the key that the first use created.
   */
  async exchange({ code, verifier, method: methodText }: CodeProof, place: CallerPlace): Promise<IssuedKey> {
    const method = checkedMethod(methodText);
    const row = await this.#find(hashOfCode(code));
    if (!row) throw invalid();
    if (row.usedAt) return this.#refuseSecondUse(row, place);
    if (row.expiresAt <= this.clock.now()) throw forbidden('Authorization code expired');
    const challenge = row.challenge === null ? null : { value: row.challenge, method: row.method! };
    if (!matchesChallenge(challenge, verifier, method) || !mayCreateKeys(row)) throw invalid();
    try {
      return await this.keys.issue(keyOf(row), undefined, (key, session) => this.#take(row, key, place, session));
    } catch (error) {
      if (!(error instanceof UsedMeanwhile)) throw error;
      return this.#refuseSecondUse((await this.#find(row.hash)) ?? row, place);
    }
  }

  async #find(codeHash: string): Promise<CodeRow | undefined> {
    const [row] = await this.sql.query<CodeRow>(
      `select c.code_hash as hash, c.account_id as "accountId", c.user_id as "userId", c.workspace_id as "workspaceId",
         c.code_challenge as challenge, c.code_challenge_method as method, c.key_name as "keyName",
         c.limit_nano as "limitNano", c.limit_reset as "limitReset", c.key_expires_at as "keyExpiresAt",
         c.expires_at as "expiresAt", c.used_at as "usedAt", c.key_no as "keyNo", k.hash as "makerHash", m.role,
         -- The key of a session is deleted when its member signs out.
         k.disabled or (k.deleted_at is not null and k.console_session_id is null) as "isMakerStopped",
         exists (select 1 from workspace_member w where w.account_id = c.account_id and w.user_id = c.user_id
                   and w.workspace_id = c.workspace_id and w.role = 'admin') as "administersWorkspace"
       from authorization_code c
       join api_key k on k.no = c.maker_key_no
       left join member m on m.account_id = c.account_id and m.user_id = c.user_id and m.deactivated_at is null
       where c.code_hash = $1`,
      [codeHash],
    );
    return row;
  }

  /**
   * Runs in the transaction that creates the key. If two exchanges run concurrently, the second exchange finds no row
   * and throws UsedMeanwhile.
   */
  async #take(row: CodeRow, key: ApiKey, place: CallerPlace, session: SqlSession): Promise<void> {
    const taken = await session.query(
      `update authorization_code set used_at = $2, key_no = $3
       where code_hash = $1 and used_at is null and expires_at > $2 returning 1`,
      [row.hash, this.clock.now(), key.no],
    );
    if (taken.length === 0) throw new UsedMeanwhile('forbidden', 'The code was used by another request');
    const by = { accountId: row.accountId, keyHash: row.makerHash, creatorUserId: row.userId };
    await this.audit.record({ by, action: 'use', kind: 'authorization_code', id: row.hash, place }, session);
    await this.audit.record({ by, action: 'create', kind: 'api_key', id: key.hash, place }, session);
  }

  async #refuseSecondUse({ accountId, hash, keyNo }: CodeRow, place: CallerPlace): Promise<never> {
    const keyHash = keyNo === null ? undefined : (await this.keys.hashesOf(accountId, [keyNo])).get(keyNo);
    const key = keyHash === undefined ? null : await this.keys.find({ accountId }, keyHash);
    if (key && !key.disabled)
      await this.keys.change({ accountId }, key.hash, { disabled: true }, async (changed, session) => {
        const entry = { by: 'service', accountId, place } as const;
        await this.audit.record({ ...entry, action: 'refuse', kind: 'authorization_code', id: hash }, session);
        await this.audit.record({ ...entry, action: 'update', kind: 'api_key', id: changed.hash }, session);
      });
    throw invalid();
  }
}

const keyOf = ({ accountId, workspaceId, userId, keyName, limitNano, limitReset, keyExpiresAt }: CodeRow): NewKey => ({
  accountId,
  workspaceId,
  keyClass: 'standard',
  name: keyName,
  creatorUserId: userId,
  limitNano,
  limitReset,
  expiresAt: keyExpiresAt,
});

class UsedMeanwhile extends GatewayError {}

/**
 * Whether a key may still be created for the code. The member who created the code may have left the account or may
 * have another role by now.
 */
function mayCreateKeys({ userId, role, isMakerStopped, administersWorkspace }: CodeRow): boolean {
  if (isMakerStopped) return false;
  return userId === null || (role !== null && (administersWorkspace || PERMISSIONS['keys.write'][role] !== 'none'));
}
