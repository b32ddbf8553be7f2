import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../audit/audit-trail.js';
import { ApiKeys, type NewKey } from '../../auth/api-keys.js';
import { Balances } from '../../billing/balances.js';
import type { ApiKey } from '../../database/api-key.entity.js';
import type { CallerPlace } from '../../kernel/caller-place.js';
import { invalidRequest, notFound } from '../../kernel/errors.js';
import { usdToNano } from '../../kernel/money.js';
import type { Principal } from '../../kernel/principal.js';
import { Accounts } from '../../tenancy/accounts.js';
import { Workspaces } from '../../tenancy/workspaces.js';
import type { CreateKeyRequest } from './dto/create-key.request.dto.js';
import type { KeyWithSpend } from './keys.wire.js';

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
  ) {}

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
    const { key, secret } = await this.keys.issue(wanted, undefined, (made, session) =>
      this.audit.record({ by: caller, action: 'create', kind: 'api_key', id: made.hash, place }, session),
    );
    return { ...(await this.#withSpend(key)), secret };
  }

  async get(hash: string, caller: Principal): Promise<KeyWithSpend> {
    const key = await this.keys.find(caller.accountId, hash);
    if (!key) throw notFound('No API key has this hash');
    return this.#withSpend(key);
  }

  async #withSpend(key: ApiKey): Promise<KeyWithSpend> {
    const spend = (await this.balances.ofKeys([key.no])).get(key.no);
    if (!spend) throw new Error(`key ${key.no} has no balance`);
    return { key, spend };
  }

  async #workspaceFor(id: string | undefined, caller: Principal): Promise<string> {
    if (id === undefined) return (await this.workspaces.defaultOf(caller.accountId)).id;
    const workspace = await this.workspaces.find(caller.accountId, id);
    if (!workspace) throw notFound('No workspace has this id');
    return workspace.id;
  }

  async #creatorFor(id: string | null | undefined, caller: Principal): Promise<string | null> {
    if (id === undefined || id === null) return caller.creatorUserId;
    if (!(await this.accounts.isMember(caller.accountId, id))) throw invalidRequest('creator_user_id names no member of this account');
    return id;
  }
}

function parseTime(text: string): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw invalidRequest('expires_at is no existing time');
  return time;
}
