import { Injectable } from '@nestjs/common';
import { Catalogue } from '../catalogue/catalogue.js';
import type { CatalogueEndpoint, CatalogueModel } from '../catalogue/catalogue-model.js';
import { Config, variableOfProvider } from '../config/config.js';
import { notFound } from '../kernel/errors/errors.js';
import type { Principal } from '../kernel/principal.js';
import type { SecretValue } from '../kernel/secret-value.js';
import { NO_CREDENTIAL, type Channel } from '../channels/channel.js';
import { ChannelDirectory } from '../channels/channel-directory.js';
import { AllowedModels } from './allowed-models.js';
import { whenReady } from './when-ready.js';
import { CredentialDirectory, type UsableCredential } from '../secrets/credential-directory.js';
import { unsendableReason } from '../providers/ports/endpoint-adapter.js';
import type { ChannelCall } from '../providers/ports/endpoint-call.js';
import { AdapterRegistry } from './adapter-registry.js';
import { quotedName } from './model-names.js';

const NONE: readonly UsableCredential[] = [];
const NO_CHANNELS: readonly Channel[] = [];
const CREDENTIAL_NOT_NEEDED: readonly Channel[] = [NO_CREDENTIAL];

/** The credentials for calling an endpoint: the platform's, and the caller's own. */
@Injectable()
export class EndpointAccess {
  /** Whether the environment's credential has the form that an endpoint requires. */
  readonly #usable = new WeakMap<CatalogueEndpoint, boolean>();
  readonly #isAllowed: AllowedModels['allows'] = (list, id) => this.allowed.allows(list, id);

  constructor(
    private readonly config: Config,
    private readonly credentials: CredentialDirectory,
    private readonly adapters: AdapterRegistry,
    private readonly allowed: AllowedModels,
    private readonly channels: ChannelDirectory,
    catalogue: Catalogue,
  ) {
    channels.nameModelsBy((name) => allowed.idOf(name));
    // Drops the cached credentials and ids of models. If an own provider gets a new address, a credential that was
    // deleted before must not be sent to this address.
    catalogue.onSwap(() => channels.invalidate());
  }

  /** Reads the platform's credentials; undefined while the cache is fresh. Await the result, then call `platform`. */
  refresh(): Promise<void> | undefined {
    return this.channels.refresh();
  }

  /** Throws a 404 if the key may not use the model. The condition is permanent, and clients would retry a 5xx. */
  assertAllowed(id: string, { allowedModels }: Principal): void {
    if (allowedModels && !this.allowed.allows(allowedModels, id))
      throw notFound(
        `Model ${quotedName(id)} is not allowed for this API key. PUT /keys/{hash}/settings sets allowed_models.`,
        'constraint_filtered',
      );
  }

  /**
   * The caller's own credentials for the endpoint, in order of use. Synchronous if the credentials of the workspace are
   * cached. The credentials are never sent to own providers, because the operator chooses the address of an own
   * provider.
   */
  own(
    endpoint: CatalogueEndpoint,
    model: string,
    caller: Principal,
  ): readonly UsableCredential[] | Promise<readonly UsableCredential[]> {
    if (!endpoint.needsCredential || endpoint.ownAddress !== undefined) return NONE;
    if (this.adapters.unreachableReason(endpoint) !== undefined) return NONE;
    return this.credentials.forCall(caller, endpoint.provider, model, this.#isAllowed);
  }

  /** The platform's credentials for the endpoint, including resting ones. */
  platform(endpoint: CatalogueEndpoint, model: string): readonly Channel[] {
    if (!endpoint.needsCredential)
      return this.adapters.unreachableReason(endpoint) === undefined ? CREDENTIAL_NOT_NEEDED : NO_CHANNELS;
    const channels = this.channels.of(endpoint.provider);
    if (channels.length === 0) return NO_CHANNELS;
    if (channels.every((channel) => this.#opens(channel, endpoint, model))) return channels;
    return channels.filter((channel) => this.#opens(channel, endpoint, model));
  }

  #opens(channel: Channel, endpoint: CatalogueEndpoint, model: string): boolean {
    const { secret, baseUrl, region, allowedModels, deniedModels } = channel;
    const reached = baseUrl === null ? endpoint : { ...endpoint, channel: { baseUrl } };
    if (this.adapters.unreachableReason(reached) !== undefined) return false;
    // An own provider does not use a variable of the environment that matches its name, because the value was intended
    // for something else.
    if (secret) return endpoint.ownAddress === undefined && this.#isUsable(endpoint, secret);
    return (
      isInRegion(endpoint, region) &&
      (allowedModels === null || this.allowed.allows(allowedModels, model)) &&
      (deniedModels.length === 0 || !this.allowed.allows(deniedModels, model))
    );
  }

  /** The reason why neither the platform nor the caller can call the endpoint, and how to change that. */
  missing(endpoint: CatalogueEndpoint): string {
    const { provider } = endpoint;
    const reason = this.adapters.unreachableReason(endpoint);
    if (reason !== undefined) return reason;
    if (endpoint.ownAddress !== undefined)
      return `Provider ${provider} has no credential here: the operator stores one by POST /providers/credentials`;
    const variable = variableOfProvider(provider, 'API_KEY');
    const { apiKey } = this.config.provider(provider);
    const fault = apiKey && this.adapters.credentialReason(endpoint, apiKey);
    if (fault) return `${variable} cannot be used. ${fault.replace(/\.$/, '')}`;
    return (
      `Provider ${provider} has no credential here: ` +
      `the operator sets ${variable}, or you store your own by POST /byok`
    );
  }

  #isUsable(endpoint: CatalogueEndpoint, credential: SecretValue): boolean {
    let isUsable = this.#usable.get(endpoint);
    if (isUsable === undefined)
      this.#usable.set(endpoint, (isUsable = this.adapters.credentialReason(endpoint, credential) === undefined));
    return isUsable;
  }
}

/**
 * Whether an endpoint accepts credentials of a region. If its tag has a region, it accepts only credentials of that
 * region and credentials for every region.
 */
function isInRegion({ provider, tag }: CatalogueEndpoint, region: string | null): boolean {
  return region === null || tag === provider || tag === `${provider}/${region}`;
}

/**
 * Checks the settings of credentials: the provider, the models, and the form, which the endpoints of the provider
 * determine.
 */
@Injectable()
export class CredentialForms {
  constructor(
    private readonly catalogue: Catalogue,
    private readonly adapters: AdapterRegistry,
    private readonly allowed: AllowedModels,
  ) {}

  /** The id of a model to which two of the names refer; undefined if there is none. */
  namedTwice(names: readonly string[]): string | undefined {
    const ids = names.map((name) => this.allowed.idOf(name) ?? name);
    return ids.find((id, index) => ids.indexOf(id) < index);
  }

  /** Whether a provider has this slug. */
  isProvider(slug: string): boolean {
    return this.catalogue.provider(slug) !== undefined;
  }

  /** Whether callers may use their own credentials for the provider. */
  takesOwn(slug: string): boolean {
    return this.isProvider(slug) && !this.catalogue.provider(slug)!.own;
  }

  /**
   * The reason why no endpoint of a provider can use a credential; undefined if one can. The reason does not contain
   * the credential.
   */
  unusableReason(provider: string, credential: SecretValue, channel?: ChannelCall): string | undefined {
    const judged = new Map<string, string | undefined>();
    for (const { endpoints } of this.catalogue.all())
      for (const endpoint of endpoints) {
        if (endpoint.provider !== provider || !endpoint.needsCredential) continue;
        const reached = channel ? { ...endpoint, channel } : endpoint;
        if (this.adapters.unreachableReason(reached) !== undefined) continue;
        const form = `${endpoint.capability} ${endpoint.adapter} ${endpoint.package ?? ''}`;
        if (!judged.has(form)) judged.set(form, this.adapters.credentialReason(reached, credential));
      }
    if (judged.size === 0) return unsendableTextReason(provider, credential.reveal());
    const reasons = [...judged.values()];
    return reasons.every((reason) => reason !== undefined) ? reasons[0] : undefined;
  }
}

/**
 * The reason why a text cannot be a credential of a provider without endpoints. JSON documents are accepted, because
 * only an endpoint determines how they are sent.
 */
const unsendableTextReason = (provider: string, text: string): string | undefined =>
  text.trimStart().startsWith('{') ? undefined : unsendableReason(provider, text);

/** The models that a caller can call now, independent of the health of endpoints, which changes within seconds. */
@Injectable()
export class CallableModels {
  constructor(
    private readonly catalogue: Catalogue,
    private readonly access: EndpointAccess,
    private readonly allowed: AllowedModels,
  ) {}

  /** Models with an endpoint for which the platform or the caller has a credential. */
  async of(caller: Principal): Promise<ReadonlySet<CatalogueModel>> {
    await this.access.refresh();
    const models = this.catalogue.all();
    const callable = await whenReady(
      models.map((model) => this.#isCallable(model, caller)),
      (verdicts) => verdicts,
    );
    return new Set(models.filter((_, index) => callable[index]));
  }

  #isCallable(model: CatalogueModel, caller: Principal): boolean | Promise<boolean> {
    if (caller.allowedModels && !this.allowed.allows(caller.allowedModels, model.id)) return false;
    if (model.endpoints.some((endpoint) => this.access.platform(endpoint, model.id).length > 0)) return true;
    const own = model.endpoints.map((endpoint) => this.access.own(endpoint, model.id, caller));
    return whenReady(own, (credentials) => credentials.some(({ length }) => length > 0));
  }
}
