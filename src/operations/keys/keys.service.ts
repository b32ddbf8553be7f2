import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../audit/audit-trail.js';
import type { AuditAction } from '../../audit/audit-entry.js';
import { changedSettings } from '../../audit/setting-changes.js';
import { ApiKeys, keysWithin, type IssuedKey } from '../../auth/api-keys.js';
import { KeyRotation } from '../../auth/key-rotation.js';
import type { FormerSecret } from '../../auth/known-key.js';
import type { ApiKey } from '../../database/entities/api-key.entity.js';
import type { SqlSession } from '../../database/sql.js';
import type { Role } from '../../kernel/access/permissions.js';
import { GatewayError, notFound, unauthenticated } from '../../kernel/errors/errors.js';
import type { Principal } from '../../kernel/principal.js';
import type { CreateKeyRequest, ListKeysRequest, UpdateKeyRequest } from './dto/keys.request.dto.js';
import { KeySpends } from './key-spends.js';
import { toAuditedSettings, toChanges, type KeyWithSpend } from './keys.wire.js';
import { KeyChangeRules } from './key-change-rules.js';
import { NewKeys } from './new-keys.js';

const PAGE = 100;
const unknown = (): GatewayError => notFound('No API key has this hash');

export interface CreatedKey extends KeyWithSpend {
  /** Empty if the caller supplied the secret. */
  readonly secret: string;
}

@Injectable()
export class KeysService {
  constructor(
    private readonly keys: ApiKeys,
    private readonly rotation: KeyRotation,
    private readonly spends: KeySpends,
    private readonly newKeys: NewKeys,
    private readonly rules: KeyChangeRules,
    private readonly audit: AuditTrail,
  ) {}

  /** The keys of one workspace, newest first. Default: the default workspace. */
  async list(request: ListKeysRequest, caller: Principal): Promise<KeyWithSpend[]> {
    const workspaceId = await this.newKeys.workspaceFor(request.workspace_id, caller);
    if (workspaceId === undefined) throw notFound('No workspace has this id');
    const where = {
      workspaceId,
      ...(request.include_disabled ? {} : { disabled: false }),
      // Omit the management keys of console sessions. Such a key has no secret, spends nothing, and ends only with its
      // session.
      $or: [{ consoleSessionId: null }, { keyClass: 'standard' as const }],
    };
    return this.spends.ofAll(
      await this.keys.list({ $and: [keysWithin(caller), where] }, { offset: request.offset ?? 0, limit: PAGE }),
    );
  }

  async create(request: CreateKeyRequest, caller: Principal): Promise<CreatedKey> {
    const issuing = this.#issue(request, caller);
    const { key, secret } = await this.#recordingRefusals(issuing, caller.keyHash, caller, request.role);
    return { ...(await this.spends.of(key)), secret: request.external?.api_key === undefined ? secret : '' };
  }

  async get(hash: string, caller: Principal): Promise<KeyWithSpend> {
    const key = await this.keys.find(caller, hash);
    if (!key) throw unknown();
    return this.spends.of(key);
  }

  /** The record of the caller's key. Throws a 401 if the key was deleted but this replica still caches it. */
  async own(caller: Principal): Promise<KeyWithSpend> {
    const key = await this.keys.find({ accountId: caller.accountId }, caller.keyHash);
    if (!key) throw unauthenticated('Invalid API key');
    return this.spends.of(key);
  }

  async update(hash: string, request: UpdateKeyRequest, caller: Principal): Promise<KeyWithSpend> {
    const checked = this.#checked('update', caller);
    const changing = this.keys.change(caller, hash, toChanges(request), async (changed, session, before) => {
      await checked(changed, session, before);
      if (request.limit !== undefined) this.newKeys.assertLimit(changed, caller);
    });
    const key = await this.#recordingRefusals(changing, hash, caller);
    if (!key) throw unknown();
    return this.spends.of(key);
  }

  async delete(hash: string, caller: Principal): Promise<void> {
    const deleting = this.keys.delete(caller, hash, this.#checked('delete', caller));
    if (!(await this.#recordingRefusals(deleting, hash, caller))) throw unknown();
  }

  /** Returns the key with a new secret. Its former secrets stay valid for at most `graceSeconds`. */
  async rotate(hash: string, graceSeconds: number, caller: Principal): Promise<CreatedKey> {
    const rotating = this.rotation.rotate(caller, hash, graceSeconds, this.#checked('rotate', caller));
    const rotated = await this.#recordingRefusals(rotating, hash, caller);
    if (!rotated) throw unknown();
    return { ...(await this.spends.of(rotated.key)), secret: rotated.secret };
  }

  /** The secrets that rotations replaced and that are still valid. */
  async formerSecrets(hash: string, caller: Principal): Promise<readonly FormerSecret[]> {
    const secrets = await this.rotation.formerSecrets(caller, hash);
    if (!secrets) throw unknown();
    return secrets;
  }

  /** Returns the number of ended secrets. */
  async endFormerSecrets(hash: string, by: Principal): Promise<number> {
    const ending = this.rotation.endFormerSecrets(by, hash, async ({ key, ended: count }, session) => {
      await this.rules.assertMayChange(key, by, false);
      if (count > 0) await this.audit.record({ by, action: 'delete', kind: 'former_secret', id: key.hash }, session);
    });
    const ended = await this.#recordingRefusals(ending, hash, by);
    if (ended === null) throw unknown();
    return ended;
  }

  async #issue(request: CreateKeyRequest, caller: Principal): Promise<IssuedKey> {
    const audited = this.#audited('create', caller);
    const wanted = await this.newKeys.of(request, caller);
    return this.keys.issue(wanted, request.external?.api_key, async (made, session) => {
      await this.newKeys.assertMemberMayHave(made, session);
      await audited(made, session);
    });
  }

  /** Writes an audit row if `work` fails with a 403. `role`: the requested role. */
  async #recordingRefusals<T>(work: Promise<T>, id: string, by: Principal, role?: Role): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (error instanceof GatewayError && error.kind === 'forbidden')
        await this.audit.record({ by, action: 'refuse', kind: 'api_key', id, role });
      throw error;
    }
  }

  #checked(action: AuditAction, by: Principal): Audited {
    const audited = this.#audited(action, by);
    return async (key, session, before) => {
      await this.rules.assertMayChange(key, by, action === 'rotate', session);
      await audited(key, session, before);
    };
  }

  #audited(action: AuditAction, by: Principal): Audited {
    return (key, session, before) => {
      const { hash: id, role } = key;
      const given = action === 'create' && role !== null ? role : undefined;
      const changes =
        action === 'create' || action === 'update'
          ? changedSettings(before && toAuditedSettings(before), toAuditedSettings(key))
          : undefined;
      return this.audit.record({ by, action, kind: 'api_key', id, role: given, changes }, session);
    };
  }
}

/** `before`: the key before a change. */
type Audited = (key: ApiKey, session: SqlSession, before?: ApiKey) => Promise<void>;
