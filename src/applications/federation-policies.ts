import { Injectable } from '@nestjs/common';
import { ApiKeys } from '../auth/api-keys.js';
import { Config } from '../config/config.js';
import type { InTransaction } from '../database/session-of.js';
import { Sql, type SqlSession } from '../database/sql.js';
import { Clock } from '../kernel/clock.js';
import { conflict, invalidRequest } from '../kernel/errors/errors.js';
import { checkedUrl } from '../kernel/fetched-url.js';
import { newId } from '../kernel/ids.js';
import type { Page, Paged } from '../kernel/page.js';
import type { Principal } from '../kernel/principal.js';

const MAX_POLICIES = 100;

/** Defines which tokens of an issuer may act as a key. */
export interface FederationPolicy {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly issuer: string;
  readonly jwksUrl: string | null;
  readonly subject: string;
  readonly audience: string;
  readonly keyNo: number;
  readonly keyHash: string;
  readonly disabled: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date | null;
}

interface NewFederationPolicy extends Pick<FederationPolicy, 'name' | 'issuer' | 'subject' | 'audience'> {
  readonly jwksUrl: string | null;
  readonly keyHash: string;
}

const COLUMNS = `p.id, p.account_id as "accountId", p.name, p.issuer, p.jwks_url as "jwksUrl", p.subject, p.audience,
  p.key_no as "keyNo", (select k.hash from api_key k where k.no = p.key_no) as "keyHash", p.disabled,
  p.created_at as "createdAt", p.updated_at as "updatedAt"`;

/** The federation policies of accounts. Every replica is notified of changes. */
@Injectable()
export class FederationPolicies {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly keys: ApiKeys,
    private readonly config: Config,
  ) {}

  /** Oldest first. */
  async list(accountId: string, { offset, limit }: Page): Promise<Paged<FederationPolicy>> {
    const items = await this.sql.query<FederationPolicy>(
      `select ${COLUMNS} from federation_policy p where p.account_id = $1 order by p.id offset $2 limit $3`,
      [accountId, offset, limit],
    );
    return { items, total: await this.#count(accountId) };
  }

  async find(accountId: string, id: string): Promise<FederationPolicy | undefined> {
    const [policy] = await this.sql.query<FederationPolicy>(
      `select ${COLUMNS} from federation_policy p where p.account_id = $1 and p.id = $2`,
      [accountId, id],
    );
    return policy;
  }

  /** Searches all accounts, because the subject token that is sent with the id proves the right to use the policy. */
  async findById(id: string): Promise<FederationPolicy | undefined> {
    const [policy] = await this.sql.query<FederationPolicy>(
      `select ${COLUMNS} from federation_policy p where p.id = $1`,
      [id],
    );
    return policy;
  }

  /**
   * Throws a 400 if `issuer` or `jwksUrl` is an address that may not be fetched, or if `issuer` has a query or a
   * fragment. Throws a 400 if the subject has a wildcard, or if the key is not a standard key of the account. Throws a
   * 409 if the account has the maximum number of policies.
   */
  async create(
    wanted: NewFederationPolicy,
    caller: Principal,
    inTransaction: InTransaction<FederationPolicy>,
  ): Promise<FederationPolicy> {
    this.#checkAddresses(wanted);
    if (wanted.subject.includes('*')) throw invalidRequest('subject is compared exactly: it must not have a wildcard');
    const key = await this.keys.find({ accountId: caller.accountId }, wanted.keyHash);
    if (key?.keyClass !== 'standard')
      throw invalidRequest('api_key_hash must be the hash of a standard key of this account');
    return this.sql.transaction(async (session) => {
      // Concurrent creations wait for each other, so that none exceeds the maximum.
      await session.query('select 1 from account where id = $1 for no key update', [caller.accountId]);
      if ((await this.#count(caller.accountId, session)) >= MAX_POLICIES)
        throw conflict(`An account has at most ${MAX_POLICIES} federation policies`);
      const [created] = await session.query<FederationPolicy>(
        `insert into federation_policy as p (id, account_id, name, issuer, jwks_url, subject, audience, key_no,
           created_by, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning ${COLUMNS}`,
        [
          newId(this.clock.now().getTime()),
          caller.accountId,
          wanted.name,
          wanted.issuer,
          wanted.jwksUrl,
          wanted.subject,
          wanted.audience,
          key.no,
          caller.creatorUserId,
          this.clock.now(),
        ],
      );
      await inTransaction(created!, session);
      return created!;
    });
  }

  /** Returns undefined if the account has no such policy. */
  async setDisabled(
    accountId: string,
    id: string,
    disabled: boolean,
    inTransaction: InTransaction<FederationPolicy>,
  ): Promise<FederationPolicy | undefined> {
    return this.sql.transaction(async (session) => {
      const [updated] = await session.query<FederationPolicy>(
        `update federation_policy p set disabled = $3, updated_at = $4
         where p.account_id = $1 and p.id = $2 returning ${COLUMNS}`,
        [accountId, id, disabled, this.clock.now()],
      );
      if (updated) await inTransaction(updated, session);
      return updated;
    });
  }

  /** Returns false if the account has no such policy. */
  async delete(accountId: string, id: string, inTransaction: InTransaction<FederationPolicy>): Promise<boolean> {
    return this.sql.transaction(async (session) => {
      const [deleted] = await session.query<FederationPolicy>(
        `delete from federation_policy p where p.account_id = $1 and p.id = $2 returning ${COLUMNS}`,
        [accountId, id],
      );
      if (deleted) await inTransaction(deleted, session);
      return deleted !== undefined;
    });
  }

  #checkAddresses({ issuer, jwksUrl }: NewFederationPolicy): void {
    const { FEDERATION_PRIVATE_ISSUERS } = this.config.values;
    checkedUrl(issuer, FEDERATION_PRIVATE_ISSUERS, 'issuer');
    if (/[?#]/.test(issuer)) throw invalidRequest('issuer must have neither a query nor a fragment');
    if (jwksUrl !== null) checkedUrl(jwksUrl, FEDERATION_PRIVATE_ISSUERS, 'jwks_url');
  }

  async #count(accountId: string, session: SqlSession = this.sql): Promise<number> {
    const [row] = await session.query<{ total: number }>(
      'select count(*)::int as total from federation_policy where account_id = $1',
      [accountId],
    );
    return row!.total;
  }
}
