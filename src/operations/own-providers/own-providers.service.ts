import { Injectable } from '@nestjs/common';
import type { AuditEntry } from '../../audit/audit-entry.js';
import { AuditTrail } from '../../audit/audit-trail.js';
import { changedSettings } from '../../audit/setting-changes.js';
import type { OwnModel, OwnProvider } from '../../catalogue/own-provider.js';
import { OwnProviders } from '../../catalogue/own-providers.js';
import { NO_CREDENTIAL } from '../../channels/channel.js';
import { checkedBaseUrl } from '../../channels/channel-address.js';
import { PlatformCredentials } from '../../channels/platform-credentials.js';
import { Config } from '../../config/config.js';
import type { SqlSession } from '../../database/sql.js';
import { pageIn, type OffsetPageRequest } from '../../http/validation/offset-page.request.dto.js';
import { ChannelTests, type ListedModel } from '../../inference/channel-tests.js';
import { conflict, invalidRequest, notFound } from '../../kernel/errors/errors.js';
import { pageOf, type Paged } from '../../kernel/page.js';
import type { Principal } from '../../kernel/principal.js';
import type {
  CreateOwnProviderRequest,
  SetOwnModelRequest,
  UpdateOwnProviderRequest,
} from './dto/own-provider.request.dto.js';
import { changesOf, modelOf, providerOf, toAuditedModelSettings, toAuditedSettings } from './own-providers.wire.js';

type AuditedAction = Pick<AuditEntry, 'action' | 'kind' | 'id' | 'changes'>;

const unknownProvider = (): Error => notFound('No own provider has this slug');

@Injectable()
export class OwnProvidersService {
  constructor(
    private readonly own: OwnProviders,
    private readonly credentials: PlatformCredentials,
    private readonly tests: ChannelTests,
    private readonly audit: AuditTrail,
    private readonly config: Config,
  ) {}

  async list(request: OffsetPageRequest): Promise<Paged<OwnProvider>> {
    return pageOf(await this.own.list(), pageIn(request));
  }

  async create(request: CreateOwnProviderRequest, caller: Principal): Promise<OwnProvider> {
    const baseUrl = this.#checked(request.base_url);
    return this.own.create({ ...providerOf(request), baseUrl }, (provider, session) => {
      const changes = changedSettings(undefined, toAuditedSettings(provider));
      return this.#audit({ action: 'create', kind: 'own_provider', id: provider.slug, changes }, caller, session);
    });
  }

  async update(slug: string, request: UpdateOwnProviderRequest, caller: Principal): Promise<OwnProvider> {
    const wanted = changesOf(request);
    const checked = wanted.baseUrl === undefined ? wanted : { ...wanted, baseUrl: this.#checked(wanted.baseUrl) };
    const updated = await this.own.update(slug, checked, async (changed, session, before) => {
      if (changed.baseUrl !== before.baseUrl) await this.#assertNoKeyMoves(slug, session);
      const changes = changedSettings(toAuditedSettings(before), toAuditedSettings(changed));
      await this.#audit({ action: 'update', kind: 'own_provider', id: slug, changes }, caller, session);
    });
    if (!updated) throw unknownProvider();
    return updated;
  }

  async remove(slug: string, caller: Principal): Promise<void> {
    const removed = await this.own.remove(slug, async (_, session) => {
      // Credentials that remain would be sent to the address of a later provider with the same slug.
      if ((await this.credentials.lockOf(slug, session)).length > 0)
        throw conflict('The provider has credentials: delete them first with DELETE /providers/credentials/{id}');
      await this.#audit({ action: 'delete', kind: 'own_provider', id: slug }, caller, session);
    });
    if (!removed) throw unknownProvider();
  }

  #checked(baseUrl: string): string {
    return checkedBaseUrl(baseUrl, this.config.values.CHANNEL_PRIVATE_ADDRESSES === 'on');
  }

  /**
   * Throws a 409 if a stored key would be sent to another address. Includes disabled credentials, because they can be
   * enabled again.
   */
  async #assertNoKeyMoves(slug: string, session: SqlSession): Promise<void> {
    if ((await this.credentials.lockOf(slug, session)).some(({ baseUrl }) => baseUrl === null))
      throw conflict(
        'A stored key is not sent to another address: delete the credentials that use the address of the provider, ' +
          'or set base_url and key of each with PATCH /providers/credentials/{id}',
      );
  }

  /** Returns the models that a provider lists. The provider must not require a credential. */
  async discover(slug: string, caller: Principal): Promise<readonly ListedModel[]> {
    const provider = (await this.own.list()).find((one) => one.slug === slug);
    if (!provider) throw unknownProvider();
    if (provider.needsCredential)
      throw invalidRequest('The provider needs a credential: use POST /providers/credentials/{id}/discover');
    return this.tests.list({ ...NO_CREDENTIAL, provider: slug }, caller);
  }

  async models(slug: string, request: OffsetPageRequest): Promise<Paged<OwnModel>> {
    return pageOf(await this.own.models(slug), pageIn(request));
  }

  async setModel(slug: string, id: string, request: SetOwnModelRequest, caller: Principal): Promise<OwnModel> {
    return this.own.setModel(slug, id, modelOf(request), (model, session, before) => {
      const changes = changedSettings(before && toAuditedModelSettings(before), toAuditedModelSettings(model));
      return this.#audit({ action: 'update', kind: 'own_model', id: `${slug}/${id}`, changes }, caller, session);
    });
  }

  async removeModel(slug: string, id: string, caller: Principal): Promise<void> {
    const removed = await this.own.removeModel(slug, id, (name, session) =>
      this.#audit({ action: 'delete', kind: 'own_model', id: name }, caller, session),
    );
    if (removed === undefined) throw notFound('The provider has no model with this id');
  }

  async versions(slug: string, id: string, request: OffsetPageRequest): Promise<Paged<OwnModel>> {
    return pageOf(await this.own.versions(slug, id), pageIn(request));
  }

  #audit(entry: AuditedAction, caller: Principal, session: SqlSession): Promise<void> {
    return this.audit.record({ ...entry, by: caller }, session);
  }
}
