import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../audit/audit-trail.js';
import type { AuditAction } from '../../audit/audit-entry.js';
import { ApiKeys, type NewKey } from '../../auth/api-keys.js';
import { KeyRotation } from '../../auth/key-rotation.js';
import type { ApiKey } from '../../database/entities/api-key.entity.js';
import type { InTransaction } from '../../database/session-of.js';
import type { CallerPlace } from '../../kernel/caller-place.js';
import { invalidRequest, notFound, unauthenticated, type GatewayError } from '../../kernel/errors/errors.js';
import { usdToNano } from '../../kernel/money.js';
import type { Principal } from '../../kernel/principal.js';
import { Accounts } from '../../tenancy/accounts.js';
import { Workspaces } from '../../tenancy/workspaces.js';
import type { CreateKeyRequest } from './dto/create-key.request.dto.js';
import type { ListKeysRequest } from './dto/list-keys.request.dto.js';
import type { UpdateKeyRequest } from './dto/update-key.request.dto.js';
import { KeySpends } from './key-spends.js';
import { toChanges, type KeyWithSpend } from './keys.wire.js';

const PAGE = 100;
const unknown = (): GatewayError => notFound('No API key has this hash');

export interface CreatedKey extends KeyWithSpend {
  readonly secret: string;
}

/** The operations of the group, in the order of the API. */
@Injectable()
export class KeysService {
  constructor(
    private readonly keys: ApiKeys,
    private readonly rotation: KeyRotation,
    private readonly spends: KeySpends,
    private readonly accounts: Accounts,
    private readonly workspaces: Workspaces,
    private readonly audit: AuditTrail,
  ) {}

  /** The keys of one workspace, by default of the default workspace, newest first. */
  async list(request: ListKeysRequest, caller: Principal): Promise<KeyWithSpend[]> {
    const workspaceId = await this.#workspaceFor(request.workspace_id, caller);
    if (workspaceId === undefined) throw notFound('No workspace has this id');
    const where = {
      accountId: caller.accountId,
      workspaceId,
      ...(request.include_disabled ? {} : { disabled: false }),
      // A session's own management key has no secret and spends nothing: only its session ends it.
      $or: [{ consoleSessionId: null }, { keyClass: 'standard' as const }],
    };
    return this.spends.ofAll(await this.keys.list(where, { offset: request.offset ?? 0, limit: PAGE }));
  }

  async create(request: CreateKeyRequest, caller: Principal, place: CallerPlace): Promise<CreatedKey> {
    const workspaceId = await this.#workspaceFor(request.workspace_id, caller);
    if (workspaceId === undefined) throw invalidRequest('workspace_id names no workspace of this account');
    const creatorUserId = await this.#creatorFor(request.creator_user_id, caller);
    const wanted: NewKey = {
      accountId: caller.accountId,
      workspaceId,
      keyClass: 'standard',
      name: request.name,
      creatorUserId,
      limitNano: request.limit === null || request.limit === undefined ? null : usdToNano(request.limit),
      limitReset: request.limit_reset ?? null,
      includeByokInLimit: request.include_byok_in_limit ?? false,
      expiresAt: request.expires_at ? parseTime(request.expires_at) : null,
    };
    const { key, secret } = await this.keys.issue(wanted, undefined, this.#audited('create', caller, place));
    return { ...(await this.spends.of(key)), secret };
  }

  async get(hash: string, caller: Principal): Promise<KeyWithSpend> {
    const key = await this.keys.find(caller.accountId, hash);
    if (!key) throw unknown();
    return this.spends.of(key);
  }

  /** The record of the caller's key. Throws if the key was deleted although it is still cached by this replica. */
  async own(caller: Principal): Promise<KeyWithSpend> {
    const key = await this.keys.find(caller.accountId, caller.keyHash);
    if (!key) throw unauthenticated('Invalid API key');
    return this.spends.of(key);
  }

  async update(hash: string, request: UpdateKeyRequest, caller: Principal, place: CallerPlace): Promise<KeyWithSpend> {
    const key = await this.keys.change(
      caller.accountId,
      hash,
      toChanges(request),
      this.#audited('update', caller, place),
    );
    if (!key) throw unknown();
    return this.spends.of(key);
  }

  async delete(hash: string, caller: Principal, place: CallerPlace): Promise<void> {
    if (!(await this.keys.delete(caller.accountId, hash, this.#audited('delete', caller, place)))) throw unknown();
  }

  /** The key with a new secret; the former ones are valid for `graceSeconds` more. */
  async rotate(hash: string, graceSeconds: number, caller: Principal, place: CallerPlace): Promise<CreatedKey> {
    const audited = this.#audited('rotate', caller, place);
    const rotated = await this.rotation.rotate(caller.accountId, hash, graceSeconds, audited);
    if (!rotated) throw unknown();
    return { ...(await this.spends.of(rotated.key)), secret: rotated.secret };
  }

  #audited(action: AuditAction, by: Principal, place: CallerPlace): InTransaction<ApiKey> {
    return ({ hash }, session) => this.audit.record({ by, action, kind: 'api_key', id: hash, place }, session);
  }

  /** Undefined if the account has no workspace with this id. */
  async #workspaceFor(id: string | undefined, caller: Principal): Promise<string | undefined> {
    if (id === undefined) return (await this.workspaces.defaultOf(caller.accountId)).id;
    return (await this.workspaces.find(caller.accountId, id))?.id;
  }

  async #creatorFor(id: string | null | undefined, caller: Principal): Promise<string | null> {
    if (id === undefined || id === null) return caller.creatorUserId;
    if (!(await this.accounts.isMember(caller.accountId, id)))
      throw invalidRequest('creator_user_id names no member of this account');
    return id;
  }
}

function parseTime(text: string): Date {
  const time = new Date(text);
  // JavaScript parses 30 February as 2 March, and has a year 0, which PostgreSQL does not.
  const exists =
    !Number.isNaN(time.getTime()) && time.getUTCFullYear() > 0 && time.toISOString().slice(0, 10) === text.slice(0, 10);
  if (!exists) throw invalidRequest('expires_at must be a time that exists, from the year 1 to 9999');
  return time;
}
