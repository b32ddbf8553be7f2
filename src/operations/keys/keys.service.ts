import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../audit/audit-trail.js';
import type { AuditAction } from '../../audit/audit-entry.js';
import { ApiKeys, type NewKey } from '../../auth/api-keys.js';
import { KeyUses } from '../../auth/key-uses.js';
import { Balances } from '../../billing/balances.js';
import type { ApiKey } from '../../database/api-key.entity.js';
import type { Alongside } from '../../database/session-of.js';
import type { CallerPlace } from '../../kernel/caller-place.js';
import { invalidRequest, notFound, unauthenticated, type GatewayError } from '../../kernel/errors.js';
import { usdToNano } from '../../kernel/money.js';
import type { Principal } from '../../kernel/principal.js';
import { Accounts } from '../../tenancy/accounts.js';
import { Workspaces } from '../../tenancy/workspaces.js';
import type { CreateKeyRequest } from './dto/create-key.request.dto.js';
import type { ListKeysRequest } from './dto/list-keys.request.dto.js';
import type { UpdateKeyRequest } from './dto/update-key.request.dto.js';
import { toChanges, type KeyWithSpend } from './keys.wire.js';

const PAGE = 100;
const unknown = (): GatewayError => notFound('No API key has this hash');

export interface CreatedKey extends KeyWithSpend {
  readonly secret: string;
}

/** The use cases of the group, in the order in which the API lists them. */
@Injectable()
export class KeysService {
  constructor(
    private readonly keys: ApiKeys,
    private readonly balances: Balances,
    private readonly accounts: Accounts,
    private readonly workspaces: Workspaces,
    private readonly audit: AuditTrail,
    private readonly uses: KeyUses,
  ) {}

  /** Keys of one workspace, the default one unless another is named; disabled ones where asked for. Newest first. */
  async list(request: ListKeysRequest, caller: Principal): Promise<KeyWithSpend[]> {
    const workspaceId = await this.#workspaceFor(request.workspace_id, caller);
    const where = {
      accountId: caller.accountId,
      workspaceId,
      ...(request.include_disabled ? {} : { disabled: false }),
    };
    return this.#withSpend(await this.keys.list(where, { offset: request.offset ?? 0, limit: PAGE }));
  }

  async create(request: CreateKeyRequest, caller: Principal, place: CallerPlace): Promise<CreatedKey> {
    const workspaceId = await this.#workspaceFor(request.workspace_id, caller);
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
    return { ...(await this.#oneWithSpend(key)), secret };
  }

  async get(hash: string, caller: Principal): Promise<KeyWithSpend> {
    const key = await this.keys.find(caller.accountId, hash);
    if (!key) throw unknown();
    return this.#oneWithSpend(key);
  }

  /** The caller's own record. A replica may still know a key that was deleted a moment ago. */
  async own(caller: Principal): Promise<KeyWithSpend> {
    const key = await this.keys.find(caller.accountId, caller.keyHash);
    if (!key) throw unauthenticated('Invalid API key');
    return this.#oneWithSpend(key);
  }

  async update(hash: string, request: UpdateKeyRequest, caller: Principal, place: CallerPlace): Promise<KeyWithSpend> {
    const key = await this.keys.change(
      caller.accountId,
      hash,
      toChanges(request),
      this.#audited('update', caller, place),
    );
    if (!key) throw unknown();
    return this.#oneWithSpend(key);
  }

  async delete(hash: string, caller: Principal, place: CallerPlace): Promise<void> {
    if (!(await this.keys.delete(caller.accountId, hash, this.#audited('delete', caller, place)))) throw unknown();
  }

  #audited(action: AuditAction, by: Principal, place: CallerPlace): Alongside<ApiKey> {
    return ({ hash }, session) => this.audit.record({ by, action, kind: 'api_key', id: hash, place }, session);
  }

  async #withSpend(keys: readonly ApiKey[]): Promise<KeyWithSpend[]> {
    const numbers = keys.map(({ no }) => no);
    const [spends, uses] = [await this.balances.ofKeys(numbers), await this.uses.ofKeys(numbers)];
    return keys.map((key) => {
      const spend = spends.get(key.no);
      if (!spend) throw new Error(`key ${key.no} has no balance`);
      return { key, spend, lastUsedAt: later(spend.lastUsedAt, uses.get(key.no) ?? null) };
    });
  }

  async #oneWithSpend(key: ApiKey): Promise<KeyWithSpend> {
    const [one] = await this.#withSpend([key]);
    return one!;
  }

  async #workspaceFor(id: string | undefined, caller: Principal): Promise<string> {
    if (id === undefined) return (await this.workspaces.defaultOf(caller.accountId)).id;
    const workspace = await this.workspaces.find(caller.accountId, id);
    if (!workspace) throw notFound('No workspace has this id');
    return workspace.id;
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
  // JavaScript takes 30 February for 2 March.
  if (Number.isNaN(time.getTime()) || time.toISOString().slice(0, 10) !== text.slice(0, 10))
    throw invalidRequest('expires_at is no existing time');
  return time;
}

const later = (a: Date | null, b: Date | null): Date | null => (a && b ? (a > b ? a : b) : (a ?? b));
