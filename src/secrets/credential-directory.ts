import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { AuditTrail } from '../audit/audit-trail.js';
import { Notifications } from '../database/notifications.js';
import { Sql } from '../database/sql.js';
import type { CallerPlace } from '../kernel/caller-place.js';
import { GatewayError } from '../kernel/errors.js';
import type { Principal } from '../kernel/principal.js';
import type { SecretValue } from '../kernel/secret-value.js';
import { bindingOfCredential } from './provider-credential.js';
import { SecretBox } from './secret-box.js';

/** A credential as the planning of a call needs it: usable, without its secret. */
export interface UsableCredential {
  readonly id: string;
  readonly provider: string;
  /** Tried after the platform's own credential, not before it. */
  readonly isFallback: boolean;
  readonly allowedModels: readonly string[] | null;
  readonly allowedApiKeyHashes: readonly string[] | null;
  readonly allowedUserIds: readonly string[] | null;
}

const CACHED_WORKSPACES = 10_000;
/** Even with the notification channel down, no replica believes an old answer for longer. */
const LONGEST_BELIEF_MS = 5_000;

/** The callers' own credentials, for calls: which of them a call may use, in the order of use, and the secret of one. */
@Injectable()
export class CredentialDirectory {
  readonly #cache = new LRUCache<string, readonly UsableCredential[]>({
    max: CACHED_WORKSPACES,
    ttl: LONGEST_BELIEF_MS,
  });
  readonly #loading = new Map<string, Promise<readonly UsableCredential[]>>();

  constructor(
    private readonly sql: Sql,
    private readonly box: SecretBox,
    private readonly audit: AuditTrail,
    notifications: Notifications,
  ) {
    notifications.on('byok_credential_changed', (workspaceId) => this.#forget(workspaceId));
    notifications.onGap(() => {
      this.#cache.clear();
      this.#loading.clear();
    });
  }

  /**
   * The credentials of the caller's workspace that this caller may use for this model at this provider, in the order of use.
   * Disabled ones are left out. Synchronous where the workspace is remembered.
   */
  forCall(
    caller: Principal,
    provider: string,
    model: string,
  ): readonly UsableCredential[] | Promise<readonly UsableCredential[]> {
    const fitting = (all: readonly UsableCredential[]): readonly UsableCredential[] =>
      all.filter((credential) => credential.provider === provider && admits(credential, caller, model));
    const remembered = this.#cache.get(caller.workspaceId);
    return remembered ? fitting(remembered) : this.#load(caller.workspaceId).then(fitting);
  }

  /** The secret of a credential of the caller's workspace. The use is recorded first; a use that cannot be recorded is refused. */
  async open(id: string, caller: Principal, place?: CallerPlace): Promise<SecretValue> {
    const [row] = await this.sql.query<{ data_key_id: string; sealed: Buffer }>(
      'select data_key_id, sealed from byok_credential where id = $1 and account_id = $2 and workspace_id = $3 and not disabled',
      [id, caller.accountId, caller.workspaceId],
    );
    if (!row)
      throw new GatewayError(
        'unavailable',
        'The provider credential was deleted or disabled meanwhile: send the request again',
      );
    await this.audit.record({ by: caller, action: 'use', kind: 'byok_credential', id, place });
    return this.box.open(row.data_key_id, bindingOfCredential(id), row.sealed);
  }

  #load(workspaceId: string): Promise<readonly UsableCredential[]> {
    const underWay = this.#loading.get(workspaceId);
    if (underWay) return underWay;
    const load = this.sql
      .query<UsableCredential>(
        `select id, provider, is_fallback as "isFallback", allowed_models as "allowedModels", allowed_api_key_hashes as "allowedApiKeyHashes", allowed_user_ids as "allowedUserIds"
         from byok_credential where workspace_id = $1 and not disabled order by sort_order, created_at, id`,
        [workspaceId],
      )
      .then((credentials) => {
        // A change notified while the rows were being read took this load away: its answer may be the old one.
        if (this.#loading.get(workspaceId) === load) this.#cache.set(workspaceId, credentials);
        return credentials;
      })
      .finally(() => {
        if (this.#loading.get(workspaceId) === load) this.#loading.delete(workspaceId);
      });
    this.#loading.set(workspaceId, load);
    return load;
  }

  #forget(workspaceId: string): void {
    this.#cache.delete(workspaceId);
    this.#loading.delete(workspaceId);
  }
}

function admits(credential: UsableCredential, caller: Principal, model: string): boolean {
  const allows = (list: readonly string[] | null, id: string | null): boolean =>
    list === null || (id !== null && list.includes(id));
  return (
    allows(credential.allowedModels, model) &&
    allows(credential.allowedApiKeyHashes, caller.keyHash) &&
    allows(credential.allowedUserIds, caller.creatorUserId)
  );
}
