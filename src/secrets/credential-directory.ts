import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { AuditTrail } from '../audit/audit-trail.js';
import { LoadingCache } from '../database/loading-cache.js';
import { Notifications } from '../database/notifications.js';
import { Sql } from '../database/sql.js';
import { atMostEntries } from '../kernel/cache-options.js';
import type { CallerPlace } from '../kernel/caller-place.js';
import { unavailable } from '../kernel/errors/errors.js';
import type { Principal } from '../kernel/principal.js';
import type { SecretValue } from '../kernel/secret-value.js';
import { bindingOfCredential } from './provider-credential.js';
import { SecretBox } from './secret-box.js';

/** An enabled credential without its secret, used to plan a call. */
export interface UsableCredential {
  readonly id: string;
  /** Changes whenever the row changes. */
  readonly version: string;
  readonly provider: string;
  /** Used after the platform's own credential instead of before it. */
  readonly isFallback: boolean;
  readonly allowedModels: readonly string[] | null;
  readonly allowedApiKeyHashes: readonly string[] | null;
  readonly allowedUserIds: readonly string[] | null;
}

const MAX_CACHED_WORKSPACES = 10_000;
/** Without the notification channel, a change takes effect on every replica within this time. */
const MAX_CACHE_AGE_MS = 5_000;

/** Finds the callers' own credentials that a call may use, in order of use, and opens their secrets. */
@Injectable()
export class CredentialDirectory {
  readonly #ofWorkspace: LoadingCache<readonly UsableCredential[]>;

  constructor(
    private readonly sql: Sql,
    private readonly box: SecretBox,
    private readonly audit: AuditTrail,
    notifications: Notifications,
  ) {
    const store = new LRUCache<string, readonly UsableCredential[]>({
      ...atMostEntries(MAX_CACHED_WORKSPACES),
      ttl: MAX_CACHE_AGE_MS,
    });
    this.#ofWorkspace = new LoadingCache<readonly UsableCredential[]>(store, (workspaceId) => this.#read(workspaceId));
    this.#ofWorkspace.invalidateOn(notifications, 'byok_credential_changed');
  }

  /** Makes the next call read the credentials again. Must be called after a change of credentials is committed. */
  forget(): void {
    this.#ofWorkspace.clear();
  }

  /**
   * Returns the enabled credentials that the caller may use at the provider for a model, in the order of use. They
   * serve the caller's workspace or all workspaces of its account. `allows` returns whether a list of allowed models
   * includes the model. Synchronous if the workspace is cached.
   */
  forCall(
    caller: Principal,
    provider: string,
    model: string,
    allows: (list: readonly string[], model: string) => boolean = contains,
  ): readonly UsableCredential[] | Promise<readonly UsableCredential[]> {
    const fitting = (all: readonly UsableCredential[]): readonly UsableCredential[] =>
      all.filter(
        (credential) =>
          credential.provider === provider &&
          (credential.allowedModels === null || allows(credential.allowedModels, model)) &&
          admitsCaller(credential, caller),
      );
    const credentials = this.#ofWorkspace.get(caller.workspaceId);
    return credentials instanceof Promise ? credentials.then(fitting) : fitting(credentials);
  }

  /**
   * The ids of all credentials that a caller may use for at least one model. Synchronous if the workspace is cached.
   */
  idsFor(caller: Principal): readonly string[] | Promise<readonly string[]> {
    const idsOf = (all: readonly UsableCredential[]): readonly string[] =>
      all.filter((credential) => admitsCaller(credential, caller)).map(({ id }) => id);
    const credentials = this.#ofWorkspace.get(caller.workspaceId);
    return credentials instanceof Promise ? credentials.then(idsOf) : idsOf(credentials);
  }

  /**
   * Returns the secret of a credential that serves the caller's workspace. Writes the use to the audit trail first.
   * Throws if that fails, or if the credential was deleted or disabled.
   */
  async open(id: string, caller: Principal, place?: CallerPlace): Promise<SecretValue> {
    const [row] = await this.sql.query<{ data_key_id: string; sealed: Buffer }>(
      `select data_key_id, sealed from byok_credential where id = $1 and account_id = $2
        and (workspace_id = $3 or workspace_id is null) and not disabled`,
      [id, caller.accountId, caller.workspaceId],
    );
    if (!row) throw unavailable('The provider credential was deleted or disabled meanwhile: send the request again');
    await this.audit.record({ by: caller, action: 'use', kind: 'byok_credential', id, place });
    return this.box.open(row.data_key_id, bindingOfCredential(id), row.sealed);
  }

  #read(workspaceId: string): Promise<UsableCredential[]> {
    return this.sql.query<UsableCredential>(
      `select id, id || '@' || coalesce(updated_at, created_at)::text as version, provider, is_fallback as "isFallback",
         allowed_models as "allowedModels",
         allowed_api_key_hashes as "allowedApiKeyHashes", allowed_user_ids as "allowedUserIds"
       from byok_credential
       where not disabled and (workspace_id = $1
         or (workspace_id is null and account_id = (select account_id from workspace where id = $1)))
       order by sort_order, workspace_id nulls last, created_at, id`,
      [workspaceId],
    );
  }
}

const contains = (list: readonly string[], id: string): boolean => list.includes(id);

const isAmong = (list: readonly string[] | null, id: string | null): boolean =>
  list === null || (id !== null && list.includes(id));

const admitsCaller = (credential: UsableCredential, caller: Principal): boolean =>
  isAmong(credential.allowedApiKeyHashes, caller.keyHash) && isAmong(credential.allowedUserIds, caller.creatorUserId);
