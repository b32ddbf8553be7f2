import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../audit/audit-trail.js';
import type { InChange, InTransaction } from '../database/session-of.js';
import { Sql, type SqlSession } from '../database/sql.js';
import type { CallerPlace } from '../kernel/caller-place.js';
import { Clock } from '../kernel/clock.js';
import { conflict } from '../kernel/errors/errors.js';
import { newId } from '../kernel/ids.js';
import type { Principal } from '../kernel/principal.js';
import { SecretValue } from '../kernel/secret-value.js';
import { labelOfCredential } from '../secrets/credential-label.js';
import { SecretBox } from '../secrets/secret-box.js';
import { Accounts } from '../tenancy/accounts.js';
import {
  bindingOfPlatformCredential,
  type CredentialSecrets,
  type CredentialSetup,
  type PlatformCredential,
} from './platform-credential.js';
import {
  insertRow,
  readAll,
  readNames,
  readOne,
  updateRow,
  type CredentialName,
  type PlatformCredentialRow,
} from './platform-credential-rows.js';

/**
 * The number of the advisory lock that serialises creations and deletions. Nothing else in the database uses this
 * number.
 */
const ROWS_LOCK = 7_246_015;
/** The kind of resource in the audit trail. */
export const PLATFORM_CREDENTIAL = 'platform_credential';
/** Limited, because every process keeps all platform credentials in memory. */
const MAX_PLATFORM_CREDENTIALS = 1_000;

type InSession = InTransaction<PlatformCredential>;

/** The settings and secrets that a request changes; absent = unchanged. */
export interface CredentialChanges {
  readonly setup: Partial<CredentialSetup>;
  readonly key?: SecretValue;
  readonly secretHeaders?: Readonly<Record<string, string>>;
}

/** Stores the platform's credentials, sealed under one data key. Only `openFor` returns opened secrets. */
@Injectable()
export class PlatformCredentials {
  #operatorId: string | undefined;

  constructor(
    private readonly sql: Sql,
    private readonly box: SecretBox,
    private readonly clock: Clock,
    private readonly audit: AuditTrail,
    private readonly accounts: Accounts,
  ) {}

  /** All rows with their sealed secrets, for calls. */
  rows(): Promise<PlatformCredentialRow[]> {
    return readAll(this.sql);
  }

  /** Sorted by provider, then in the order of use. */
  async list(): Promise<PlatformCredential[]> {
    return (await this.rows()).map(withoutSecrets);
  }

  /** The stored credentials of a provider, locked until the transaction ends. */
  async lockOf(provider: string, session: SqlSession): Promise<PlatformCredential[]> {
    await session.query('select pg_advisory_xact_lock($1)', [ROWS_LOCK]);
    await session.query('select 1 from platform_credential where provider = $1 order by id for update', [provider]);
    return (await readAll(session)).filter((row) => row.provider === provider).map(withoutSecrets);
  }

  row(id: string): Promise<PlatformCredentialRow | undefined> {
    return readOne(this.sql, id);
  }

  async find(id: string): Promise<PlatformCredential | undefined> {
    const row = await this.row(id);
    return row && withoutSecrets(row);
  }

  /** Names by id; deleted credentials are missing. */
  async namesOf(ids: readonly string[]): Promise<ReadonlyMap<string, CredentialName>> {
    const found = ids.length === 0 ? [] : await readNames(this.sql, ids);
    return new Map(found.map(({ id, name, label }) => [id, { name, label }]));
  }

  async create(
    provider: string,
    setup: CredentialSetup,
    secrets: CredentialSecrets,
    inTransaction: InSession,
  ): Promise<PlatformCredential> {
    return this.sql.transaction(async (session) => {
      const dataKeyId = await this.#lockDataKey(session);
      const id = newId(this.clock.now().getTime());
      const sealed = await this.#sealed(id, dataKeyId, secrets, session);
      await insertRow(session, { ...setup, ...sealed, id, provider, dataKeyId, createdAt: this.clock.now() });
      const created = withoutSecrets((await readOne(session, id))!);
      await inTransaction(created, session);
      return created;
    });
  }

  /**
   * Changes the given members and clears the lasting state. `check` may throw to refuse the change. Returns undefined
   * if there is no such credential.
   */
  async update(
    id: string,
    { setup, key, secretHeaders }: CredentialChanges,
    check: (former: PlatformCredential) => void,
    inTransaction: InChange<PlatformCredential>,
  ): Promise<PlatformCredential | undefined> {
    return this.sql.transaction(async (session) => {
      const row = await readOne(session, id, true);
      if (!row) return undefined;
      const before = withoutSecrets(row);
      check(before);
      let sealed = {};
      if (key !== undefined || secretHeaders !== undefined) {
        const former = await this.#open(row, session);
        const secrets = { key: key ?? former.key, headers: secretHeaders ?? former.headers };
        sealed = await this.#sealed(id, row.dataKeyId, secrets, session);
      }
      await updateRow(session, id, { ...setup, ...sealed, updatedAt: this.clock.now() });
      await session.query('update platform_credential set state = null, state_until = null where id = $1', [id]);
      const changed = withoutSecrets((await readOne(session, id))!);
      await inTransaction(changed, session, before);
      return changed;
    });
  }

  /** Deletes the row with its sealed bytes. With the last row, also deletes the data key. */
  async delete(id: string, inTransaction: InSession): Promise<boolean> {
    return this.sql.transaction(async (session) => {
      await session.query('select pg_advisory_xact_lock($1)', [ROWS_LOCK]);
      const row = await readOne(session, id, true);
      if (!row) return false;
      await session.query('delete from platform_credential where id = $1', [id]);
      const [left] = await session.query('select 1 from platform_credential limit 1');
      if (!left) await this.box.destroyDataKey(row.dataKeyId, session);
      await inTransaction(withoutSecrets(row), session);
      return true;
    });
  }

  /** Records one use and then returns the secrets. Rejects if the use cannot be recorded. */
  async openFor(row: PlatformCredentialRow, caller: Principal, place?: CallerPlace): Promise<CredentialSecrets> {
    this.#operatorId ??= (await this.accounts.findOperator())?.id;
    const { keyHash, creatorUserId } = caller;
    // The audit entry belongs to the operator's account, not to the caller's.
    const by = { accountId: this.#operatorId ?? caller.accountId, keyHash, creatorUserId };
    await this.audit.record({ by, action: 'use', kind: PLATFORM_CREDENTIAL, id: row.id, place });
    return this.#open(row);
  }

  async #open({ id, dataKeyId, sealed }: PlatformCredentialRow, session?: SqlSession): Promise<CredentialSecrets> {
    const opened = await this.box.open(dataKeyId, bindingOfPlatformCredential(id), sealed, session);
    const { key, headers } = JSON.parse(opened.reveal()) as { key: string; headers: Record<string, string> };
    return { key: new SecretValue(key, Object.values(headers)), headers };
  }

  async #sealed(
    id: string,
    dataKeyId: string,
    { key, headers }: CredentialSecrets,
    session: SqlSession,
  ): Promise<Pick<PlatformCredentialRow, 'sealed' | 'label' | 'secretHeaderNames'>> {
    const plaintext = new SecretValue(JSON.stringify({ key: key.reveal(), headers }));
    return {
      sealed: await this.box.seal(dataKeyId, bindingOfPlatformCredential(id), plaintext, session),
      label: labelOfCredential(key.reveal()),
      secretHeaderNames: Object.keys(headers),
    };
  }

  /**
   * Takes the advisory lock and returns the id of the single data key of all rows, which is created with the first row.
   * Throws conflict if there are too many rows.
   */
  async #lockDataKey(session: SqlSession): Promise<string> {
    await session.query('select pg_advisory_xact_lock($1)', [ROWS_LOCK]);
    const [found] = await session.query<{ dataKeyId: string; count: number }>(
      `select max(data_key_id::text) as "dataKeyId", count(*)::int as count from platform_credential`,
    );
    if ((found?.count ?? 0) >= MAX_PLATFORM_CREDENTIALS)
      throw conflict(`There are ${MAX_PLATFORM_CREDENTIALS} platform credentials already: delete one first`);
    return found?.dataKeyId ?? this.box.createDataKey(session);
  }
}

/** Removes the sealed secrets and the id of their data key. */
function withoutSecrets(row: PlatformCredentialRow): PlatformCredential {
  const { sealed, dataKeyId, ...credential } = row;
  // These members are named only to omit them.
  void [sealed, dataKeyId];
  return credential;
}
