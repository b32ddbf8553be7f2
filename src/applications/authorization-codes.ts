import { Injectable } from '@nestjs/common';
import { hash, randomBytes } from 'node:crypto';
import { AuditTrail } from '../audit/audit-trail.js';
import { Config } from '../config/config.js';
import type { LimitReset } from '../database/entities/api-key.entity.js';
import { Sql, type SqlSession } from '../database/sql.js';
import { withRowsOf } from '../kernel/access/reach.js';
import { Clock } from '../kernel/clock.js';
import { conflict, invalidRequest } from '../kernel/errors/errors.js';
import type { Nano } from '../kernel/money.js';
import type { Principal } from '../kernel/principal.js';
import { MemberKeyLimit } from '../tenancy/member-key-limit.js';
import { Workspaces } from '../tenancy/workspaces.js';
import { checkedCallback, type Callback } from './callback-url.js';
import { checkedChallenge, type CodeChallenge } from './code-challenge.js';

const CODE_BYTES = 32;
const CODE_LIFE_MS = 600_000;
/** Maximum number of codes of an account that are valid and were not exchanged yet. */
const MAX_WAITING_CODES = 1_000;

/** An application's request for a key of a member. */
export interface CodeRequest {
  /** Absent if the member takes the code to the application. */
  readonly callbackUrl?: string;
  readonly codeChallenge?: string;
  readonly codeChallengeMethod?: string;
  /** Default: the host of the callback, or `Application` without a callback. */
  readonly keyLabel?: string;
  /** Absent = the maximum that the member may give. */
  readonly limitNano?: Nano;
  readonly limitReset: LimitReset | null;
  readonly expiresAt: Date | null;
  /** Default: the default workspace. */
  readonly workspaceId?: string;
}

export interface IssuedCode {
  /** Returned once; only its hash is stored. */
  readonly code: string;
  readonly applicationNo: number;
  readonly createdAt: Date;
}

/** The stored form of a code: SHA-256, 64 lowercase hex characters. */
export const hashOfCode = (code: string): string => hash('sha256', code, 'hex');

/** Creates the codes that applications exchange for keys. A key belongs to the member who created the code. */
@Injectable()
export class AuthorizationCodes {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly workspaces: Workspaces,
    private readonly limits: MemberKeyLimit,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Throws a 400 for a callback, a challenge or a workspace that is not allowed. Throws a 403 if the limit is above the
   * maximum for the caller, and a 409 if the account has too many codes.
   */
  async create(request: CodeRequest, caller: Principal): Promise<IssuedCode> {
    const callback = request.callbackUrl === undefined ? null : checkedCallback(request.callbackUrl);
    const challenge = checkedChallenge(request.codeChallenge, request.codeChallengeMethod);
    this.#refuseWeak(challenge, callback);
    const reach = withRowsOf(caller, 'workspaces.read');
    const workspace = await this.workspaces.findOrDefault(reach, request.workspaceId);
    if (!workspace) throw invalidRequest('workspace_id must be the id of a workspace of this account');
    const limitNano = this.limits.limitFor(request.limitNano, caller, workspace.id);
    const code = randomBytes(CODE_BYTES).toString('base64url');
    const createdAt = this.clock.now();
    const applicationNo = await this.sql.transaction(async (session) => {
      await this.#refuseTooManyCodes(session, caller.accountId);
      const no = await this.#applicationAt(session, caller.accountId, callback?.origin ?? '');
      const codeHash = hashOfCode(code);
      await session.query(
        `insert into authorization_code (code_hash, account_id, user_id, maker_key_no, workspace_id, application_no,
           callback_url, code_challenge, code_challenge_method, key_name, limit_nano, limit_reset, key_expires_at,
           created_at, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
        [
          codeHash,
          caller.accountId,
          caller.creatorUserId,
          caller.keyNo,
          workspace.id,
          no,
          callback?.url ?? null,
          challenge?.value ?? null,
          challenge?.method ?? null,
          request.keyLabel ?? (callback ? new URL(callback.url).host : 'Application'),
          limitNano,
          request.limitReset,
          request.expiresAt,
          createdAt,
          new Date(createdAt.getTime() + CODE_LIFE_MS),
        ],
      );
      const entry = { by: caller, action: 'create', kind: 'authorization_code', id: codeHash } as const;
      await this.audit.record(entry, session);
      return no;
    });
    return { code, applicationNo, createdAt };
  }

  /**
   * Throws a 400 if neither S256 nor TLS protects the code. If AUTH_REQUIRE_S256 is on, TLS is not sufficient. Without
   * S256, any reader of the code could get the key.
   */
  #refuseWeak(challenge: CodeChallenge | null, callback: Callback | null): void {
    if (challenge?.method === 'S256') return;
    if (this.config.values.AUTH_REQUIRE_S256 === 'on')
      throw invalidRequest('This service accepts only the code_challenge_method S256, with a code_challenge');
    if (!callback?.isHttps)
      throw invalidRequest('Without an https callback_url, a code_challenge with the method S256 is required');
  }

  /** Locks the account, so that concurrent creations wait for each other and none exceeds the maximum. */
  async #refuseTooManyCodes(session: SqlSession, accountId: string): Promise<void> {
    await session.query('select 1 from account where id = $1 for no key update', [accountId]);
    const [row] = await session.query<{ waiting: number }>(
      `select count(*)::int as waiting from authorization_code
       where account_id = $1 and expires_at > $2 and used_at is null`,
      [accountId, this.clock.now()],
    );
    if (row!.waiting >= MAX_WAITING_CODES)
      throw conflict(`The account has ${MAX_WAITING_CODES} unused authorization codes: wait until they expire`);
  }

  async #applicationAt(session: SqlSession, accountId: string, origin: string): Promise<number> {
    // The update has no effect, but makes the statement return an existing row.
    const [row] = await session.query<{ no: number }>(
      `insert into application as a (account_id, origin, created_at) values ($1, $2, $3)
       on conflict (account_id, origin) do update set origin = a.origin returning a.no`,
      [accountId, origin, this.clock.now()],
    );
    return row!.no;
  }
}
