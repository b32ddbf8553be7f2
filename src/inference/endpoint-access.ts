import { Injectable } from '@nestjs/common';
import { Catalogue } from '../catalogue/catalogue.js';
import type { CatalogueEndpoint, CatalogueModel } from '../catalogue/catalogue-model.js';
import { Config, variableOfProvider } from '../config/config.js';
import { notFound } from '../kernel/errors/errors.js';
import type { Principal } from '../kernel/principal.js';
import type { SecretValue } from '../kernel/secret-value.js';
import { AllowedModels } from './allowed-models.js';
import { whenReady } from './when-ready.js';
import { CredentialDirectory, type UsableCredential } from '../secrets/credential-directory.js';
import { AdapterRegistry } from './adapter-registry.js';
import { quotedName } from './model-names.js';

const NONE: readonly UsableCredential[] = [];

/** The credentials by which an endpoint can be called: the platform's, and the caller's own. */
@Injectable()
export class EndpointAccess {
  /** Whether the platform's credential is of the form that an endpoint takes. */
  readonly #usable = new WeakMap<CatalogueEndpoint, boolean>();
  readonly #isAllowed: AllowedModels['allows'] = (list, id) => this.allowed.allows(list, id);

  constructor(
    private readonly config: Config,
    private readonly credentials: CredentialDirectory,
    private readonly adapters: AdapterRegistry,
    private readonly allowed: AllowedModels,
  ) {}

  /** 404, as for everything else that leaves no endpoint: the condition lasts. */
  assertAllowed(id: string, { allowedModels }: Principal): void {
    if (allowedModels && !this.allowed.allows(allowedModels, id))
      throw notFound(
        `Model ${quotedName(id)} is not allowed for this API key. PUT /keys/{hash}/settings sets allowed_models.`,
        'constraint_filtered',
      );
  }

  /** The caller's own credentials for the endpoint, in the order of use. Synchronous if the workspace is cached. */
  own(
    endpoint: CatalogueEndpoint,
    model: string,
    caller: Principal,
  ): readonly UsableCredential[] | Promise<readonly UsableCredential[]> {
    if (!endpoint.needsCredential || this.adapters.unreachableReason(endpoint) !== undefined) return NONE;
    return this.credentials.forCall(caller, endpoint.provider, model, this.#isAllowed);
  }

  /** The platform's credential; null if none is needed, undefined if the platform cannot call the endpoint. */
  platform(endpoint: CatalogueEndpoint): SecretValue | null | undefined {
    if (this.adapters.unreachableReason(endpoint) !== undefined) return undefined;
    if (!endpoint.needsCredential) return null;
    const { apiKey } = this.config.provider(endpoint.provider);
    return apiKey && this.#isUsable(endpoint, apiKey) ? apiKey : undefined;
  }

  /** Why neither the platform nor the caller can call the endpoint, and what to do. */
  missing(endpoint: CatalogueEndpoint): string {
    const { provider } = endpoint;
    const reason = this.adapters.unreachableReason(endpoint);
    if (reason !== undefined) return reason;
    const variable = variableOfProvider(provider, 'API_KEY');
    const { apiKey } = this.config.provider(provider);
    const fault = apiKey && this.adapters.credentialReason(endpoint, apiKey);
    if (fault) return `${variable} cannot be used. ${fault.replace(/\.$/, '')}`;
    return (
      `Provider ${provider} has no credential here: ` +
      `the operator sets ${variable}, or you bring your own by POST /byok`
    );
  }

  #isUsable(endpoint: CatalogueEndpoint, credential: SecretValue): boolean {
    let isUsable = this.#usable.get(endpoint);
    if (isUsable === undefined)
      this.#usable.set(endpoint, (isUsable = this.adapters.credentialReason(endpoint, credential) === undefined));
    return isUsable;
  }
}

/** The forms of credentials that the endpoints of a provider take. */
@Injectable()
export class CredentialForms {
  constructor(
    private readonly catalogue: Catalogue,
    private readonly adapters: AdapterRegistry,
  ) {}

  /** Whether a provider has this slug. */
  isProvider(slug: string): boolean {
    return this.catalogue.provider(slug) !== undefined;
  }

  /** Why no endpoint of a provider can use a credential, without a value of it; undefined where one may. */
  unusableReason(provider: string, credential: SecretValue): string | undefined {
    const judged = new Map<string, string | undefined>();
    for (const { endpoints } of this.catalogue.all())
      for (const endpoint of endpoints) {
        if (endpoint.provider !== provider || !endpoint.needsCredential) continue;
        if (this.adapters.unreachableReason(endpoint) !== undefined) continue;
        const form = `${endpoint.capability} ${endpoint.adapter} ${endpoint.package ?? ''}`;
        if (!judged.has(form)) judged.set(form, this.adapters.credentialReason(endpoint, credential));
      }
    const reasons = [...judged.values()];
    return reasons.every((reason) => reason !== undefined) ? reasons[0] : undefined;
  }
}

/** The models that a caller can call now. Health is left out: it changes within seconds. */
@Injectable()
export class CallableModels {
  constructor(
    private readonly catalogue: Catalogue,
    private readonly access: EndpointAccess,
    private readonly allowed: AllowedModels,
  ) {}

  /** Models with an endpoint for which the platform or the caller has a credential. */
  async of(caller: Principal): Promise<ReadonlySet<CatalogueModel>> {
    const models = this.catalogue.all();
    const callable = await whenReady(
      models.map((model) => this.#isCallable(model, caller)),
      (verdicts) => verdicts,
    );
    return new Set(models.filter((_, index) => callable[index]));
  }

  #isCallable(model: CatalogueModel, caller: Principal): boolean | Promise<boolean> {
    if (caller.allowedModels && !this.allowed.allows(caller.allowedModels, model.id)) return false;
    if (model.endpoints.some((endpoint) => this.access.platform(endpoint) !== undefined)) return true;
    const own = model.endpoints.map((endpoint) => this.access.own(endpoint, model.id, caller));
    return whenReady(own, (credentials) => credentials.some(({ length }) => length > 0));
  }
}
