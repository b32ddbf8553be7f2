import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../audit/audit-trail.js';
import { changedSettings } from '../../audit/setting-changes.js';
import { ApiKeys } from '../../auth/api-keys.js';
import { providersNamed } from '../../catalogue/names/published-names.js';
import { publishedProviders } from '../../catalogue/published-providers.js';
import { CredentialForms } from '../../inference/endpoint-access.js';
import { workspacesOf } from '../../kernel/access/reach.js';
import { forbidden, invalidRequest, notFound } from '../../kernel/errors/errors.js';
import { isUuid } from '../../kernel/ids.js';
import type { Paged } from '../../kernel/page.js';
import type { Principal } from '../../kernel/principal.js';
import { SecretValue } from '../../kernel/secret-value.js';
import type { ProviderCredential } from '../../secrets/provider-credential.js';
import { ProviderCredentials, type CredentialPlace } from '../../secrets/provider-credentials.js';
import { Workspaces } from '../../tenancy/workspaces.js';
import { settingsOf, toAuditedSettings } from './byok.wire.js';
import type { CreateByokRequest, UpdateByokRequest } from './dto/byok.request.dto.js';
import type { ListByokRequest } from './dto/list-byok.request.dto.js';

const KIND = 'byok_credential';
const DEFAULT_LIMIT = 50;
/**
 * The default settings of a new credential: it is enabled, every key, user and model may use it, and it is used before
 * the platform's credential.
 */
const UNSET = {
  name: null,
  disabled: false,
  isFallback: false,
  allowedModels: null,
  allowedApiKeyHashes: null,
  allowedUserIds: null,
} as const;

/** Implements the operations of this API group, in the order of the specification. */
@Injectable()
export class ByokService {
  constructor(
    private readonly credentials: ProviderCredentials,
    private readonly workspaces: Workspaces,
    private readonly keys: ApiKeys,
    private readonly forms: CredentialForms,
    private readonly audit: AuditTrail,
  ) {}

  async list(request: ListByokRequest, caller: Principal): Promise<Paged<ProviderCredential>> {
    if (request.provider !== undefined && !publishedProviders().has(request.provider))
      this.#knownProvider(request.provider);
    const workspaceId = await this.#workspaceToRead(request.workspace_id, caller);
    return this.credentials.list(
      {
        accountId: caller.accountId,
        workspaceIds: workspacesToRead(caller) === undefined ? [workspaceId, null] : [workspaceId],
        ...(request.provider === undefined ? {} : { provider: { $in: providersNamed(request.provider) } }),
      },
      { offset: request.offset ?? 0, limit: request.limit ?? DEFAULT_LIMIT },
    );
  }

  async create(request: CreateByokRequest, caller: Principal): Promise<ProviderCredential> {
    const provider = this.#knownProvider(request.provider);
    this.#assertUsable(provider, request.key);
    await this.#assertKeysExist(request.allowed_api_key_hashes, caller);
    const workspaceId = await this.#workspaceToServe(request.workspace_id, caller);
    const wanted = {
      ...UNSET,
      ...settingsOf(request),
      accountId: caller.accountId,
      workspaceId,
      provider,
      secret: new SecretValue(request.key),
    };
    return this.credentials.create(wanted, ({ id }, session) =>
      this.audit.record({ by: caller, action: 'create', kind: KIND, id }, session),
    );
  }

  async get(id: string, caller: Principal): Promise<ProviderCredential> {
    return found(await this.credentials.find(placeOf(id, caller)));
  }

  async update(id: string, { key, ...request }: UpdateByokRequest, caller: Principal): Promise<ProviderCredential> {
    const target = placeOf(id, caller);
    await this.#assertKeysExist(request.allowed_api_key_hashes, caller);
    const action = key === undefined ? 'update' : 'rotate';
    const secret = key === undefined ? undefined : new SecretValue(key);
    if (key !== undefined) this.#assertUsable(found(await this.credentials.find(target)).provider, key);
    return found(
      await this.credentials.update(target, settingsOf(request), secret, (credential, session, before) => {
        const replaced = secret ? ['key'] : [];
        const changes = changedSettings(toAuditedSettings(before), toAuditedSettings(credential), replaced);
        return this.audit.record({ by: caller, action, kind: KIND, id: target.id, changes }, session);
      }),
    );
  }

  async delete(id: string, caller: Principal): Promise<void> {
    const target = placeOf(id, caller);
    const deleted = await this.credentials.delete(target, (_, session) =>
      this.audit.record({ by: caller, action: 'delete', kind: KIND, id: target.id }, session),
    );
    if (!deleted) throw notFound('No provider credential has this id');
  }

  /** A standard key can read its own workspace; a management key can read any workspace within its reach. */
  async #workspaceToRead(id: string | undefined, caller: Principal): Promise<string> {
    if (caller.keyClass !== 'management') {
      if (id !== undefined && id.toLowerCase() !== caller.workspaceId) throw notFound('No workspace has this id');
      return caller.workspaceId;
    }
    const workspace = await this.workspaces.findOrDefault(caller, id);
    if (!workspace) throw notFound('No workspace has this id');
    return workspace.id;
  }

  /**
   * Null = every workspace of the account. Throws a 403 for null unless the caller has access to all workspaces, and a
   * 400 if no workspace has this id.
   */
  async #workspaceToServe(id: string | null | undefined, caller: Principal): Promise<string | null> {
    if (id === null) {
      if (workspacesOf(caller) === undefined) return null;
      throw forbidden(
        'Only owners and admins of the account can create a credential for all workspaces: set workspace_id',
      );
    }
    const workspace = await this.workspaces.findOrDefault(caller, id);
    if (!workspace) throw invalidRequest('workspace_id must be the id of a workspace of this account');
    return workspace.id;
  }

  /** Returns our slug of a provider. Accepts the slug of the published API too. */
  #knownProvider(slug: string): string {
    const known = providersNamed(slug).find((one) => this.forms.takesOwn(one));
    if (known !== undefined) return known;
    throw invalidRequest('provider must be a provider slug of the catalogue: GET /providers lists them');
  }

  #assertUsable(provider: string, key: string): void {
    const reason = this.forms.unusableReason(provider, new SecretValue(key));
    if (reason !== undefined) throw invalidRequest(`key: ${reason}`);
  }

  async #assertKeysExist(hashes: readonly string[] | null | undefined, caller: Principal): Promise<void> {
    if (!hashes) return;
    const known = await this.keys.list(
      { accountId: caller.accountId, hash: { $in: [...hashes] } },
      { offset: 0, limit: hashes.length },
    );
    if (known.length < new Set(hashes).size)
      throw invalidRequest('allowed_api_key_hashes must contain hashes of keys of this account');
  }
}

/** Identifies a credential of the caller's account. Throws a 404 for a malformed id, as for an unknown id. */
function placeOf(id: string, caller: Principal): CredentialPlace {
  if (!isUuid(id)) throw notFound('No provider credential has this id');
  return {
    id: id.toLowerCase(),
    accountId: caller.accountId,
    workspaceIds: workspacesToRead(caller),
  };
}

/**
 * The workspaces whose credentials the caller may read. Undefined = every workspace, including credentials that serve
 * all workspaces.
 */
const workspacesToRead = (caller: Principal): readonly string[] | undefined =>
  caller.keyClass === 'management' ? workspacesOf(caller) : [caller.workspaceId];

function found(credential: ProviderCredential | null): ProviderCredential {
  if (!credential) throw notFound('No provider credential has this id');
  return credential;
}
