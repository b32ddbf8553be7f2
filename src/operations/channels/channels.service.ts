import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../audit/audit-trail.js';
import { changedSettings } from '../../audit/setting-changes.js';
import { Config } from '../../config/config.js';
import { checkedBaseUrl, checkedHeaders } from '../../channels/channel-address.js';
import { DEFAULT_SETUP, type CredentialSetup } from '../../channels/platform-credential.js';
import { PLATFORM_CREDENTIAL, PlatformCredentials } from '../../channels/platform-credentials.js';
import { pageIn } from '../../http/validation/offset-page.request.dto.js';
import { ChannelTests, type ChannelTest, type ListedModel } from '../../inference/channel-tests.js';
import { CredentialForms } from '../../inference/endpoint-access.js';
import { ListedChannels, unknownChannel, type ListedChannel } from '../../inference/listed-channels.js';
import { conflict, invalidRequest } from '../../kernel/errors/errors.js';
import { pageOf, type Paged } from '../../kernel/page.js';
import type { Principal } from '../../kernel/principal.js';
import { SecretValue } from '../../kernel/secret-value.js';
import { setupOf, toAuditedSettings } from './channels.wire.js';
import type {
  CreateChannelRequest,
  ListChannelsRequest,
  TestChannelRequest,
  UpdateChannelRequest,
} from './dto/channel.request.dto.js';

const MAX_MODEL_NAMES = 200;
const MAX_NAME_CHARACTERS = 200;

/**
 * Implements the operations of this API group, in the order of the specification. Only keys of the operator's account
 * can use them.
 */
@Injectable()
export class ChannelsService {
  constructor(
    private readonly credentials: PlatformCredentials,
    private readonly listed: ListedChannels,
    private readonly tests: ChannelTests,
    private readonly forms: CredentialForms,
    private readonly audit: AuditTrail,
    private readonly config: Config,
  ) {}

  async list(request: ListChannelsRequest): Promise<Paged<ListedChannel>> {
    return pageOf(await this.listed.all(request.provider), pageIn(request));
  }

  async create(request: CreateChannelRequest, caller: Principal): Promise<ListedChannel> {
    const { provider, key, secret_headers: secretHeaders = {} } = request;
    if (!this.forms.isProvider(provider))
      throw invalidRequest('provider must be a provider slug of the catalogue: GET /providers lists them');
    const setup = { ...DEFAULT_SETUP, ...this.#checked(setupOf(request)) };
    const secrets = { key: new SecretValue(key), headers: checkedHeaders(secretHeaders, 'secret_headers') };
    this.#assertUsable(provider, secrets.key, setup.baseUrl);
    const created = await this.credentials.create(provider, setup, secrets, ({ id }, session) =>
      this.audit.record({ by: caller, action: 'create', kind: PLATFORM_CREDENTIAL, id }, session),
    );
    return this.listed.stored(created);
  }

  get(id: string): Promise<ListedChannel> {
    return this.listed.one(id);
  }

  async update(id: string, request: UpdateChannelRequest, caller: Principal): Promise<ListedChannel> {
    const target = await this.#storedId(id);
    const { secret_headers: headers } = request;
    const key = request.key === undefined ? undefined : new SecretValue(request.key);
    const changes = {
      setup: this.#checked(setupOf(request)),
      key,
      secretHeaders: headers === undefined ? undefined : checkedHeaders(headers, 'secret_headers'),
    };
    const { baseUrl } = changes.setup;
    if (baseUrl !== undefined && !key) throw invalidRequest('base_url can be changed only together with key');
    const action = key || changes.secretHeaders ? 'rotate' : 'update';
    const changed = await this.credentials.update(
      target,
      changes,
      (former) => {
        if (baseUrl !== undefined && former.secretHeaderNames.length > 0 && !changes.secretHeaders)
          throw invalidRequest(
            'base_url can be changed only together with secret_headers, because the credential has secret headers',
          );
        if (key) this.#assertUsable(former.provider, key, baseUrl === undefined ? former.baseUrl : baseUrl);
      },
      (channel, session, before) => {
        const replaced = [...(key ? ['key'] : []), ...(changes.secretHeaders ? ['secret_headers'] : [])];
        const changed = changedSettings(toAuditedSettings(before), toAuditedSettings(channel), replaced);
        const subject = { kind: PLATFORM_CREDENTIAL, id: target };
        return this.audit.record({ by: caller, action, ...subject, changes: changed }, session);
      },
    );
    if (!changed) throw unknownChannel();
    return this.listed.stored(changed);
  }

  async delete(id: string, caller: Principal): Promise<void> {
    const target = await this.#storedId(id);
    const deleted = await this.credentials.delete(target, (_, session) =>
      this.audit.record({ by: caller, action: 'delete', kind: PLATFORM_CREDENTIAL, id: target }, session),
    );
    if (!deleted) throw unknownChannel();
  }

  async test(id: string, { model }: TestChannelRequest, caller: Principal): Promise<ChannelTest> {
    return this.tests.test(await this.listed.channel(id), model, caller);
  }

  async discover(id: string, caller: Principal): Promise<readonly ListedModel[]> {
    return this.tests.list(await this.listed.channel(id), caller);
  }

  /**
   * Returns the id of a stored credential. Throws a 409 for a credential from an environment variable, because such a
   * credential can be changed only by its variable.
   */
  async #storedId(id: string): Promise<string> {
    const { source } = await this.listed.one(id);
    if (source === 'environment')
      throw conflict('This credential is set by an environment variable: change the variable and restart the service');
    return id.toLowerCase();
  }

  #checked(setup: Partial<CredentialSetup>): Partial<CredentialSetup> {
    const { baseUrl, headers, modelNames } = setup;
    for (const name of Object.values(modelNames ?? {}))
      if (typeof name !== 'string' || name === '' || name.length > MAX_NAME_CHARACTERS || /\p{Cc}/u.test(name))
        throw invalidRequest(`model_names must contain names of 1 to ${MAX_NAME_CHARACTERS} characters`);
    const names = Object.keys(modelNames ?? {});
    if (names.length > MAX_MODEL_NAMES)
      throw invalidRequest(`model_names must contain at most ${MAX_MODEL_NAMES} names`);
    const twice = this.forms.namedTwice(names);
    if (twice !== undefined) throw invalidRequest(`model_names must name each model once: two names mean ${twice}`);
    const mayBePrivate = this.config.values.CHANNEL_PRIVATE_ADDRESSES === 'on';
    return {
      ...setup,
      ...(baseUrl ? { baseUrl: checkedBaseUrl(baseUrl, mayBePrivate) } : {}),
      ...(headers ? { headers: checkedHeaders(headers, 'headers') } : {}),
    };
  }

  #assertUsable(provider: string, key: SecretValue, baseUrl: string | null): void {
    const reason = this.forms.unusableReason(provider, key, baseUrl === null ? undefined : { baseUrl });
    if (reason !== undefined) throw invalidRequest(`key: ${reason}`);
  }
}
