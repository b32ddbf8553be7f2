import { Injectable } from '@nestjs/common';
import { Catalogue } from '../catalogue/catalogue.js';
import type { Capability, CatalogueEndpoint } from '../catalogue/catalogue-model.js';
import { Config } from '../config/config.js';
import { invalidRequest, notFound } from '../kernel/errors.js';
import type { Nano } from '../kernel/money.js';
import type { Principal } from '../kernel/principal.js';
import type { SecretValue } from '../kernel/secret-value.js';
import { whenReady } from '../kernel/when-ready.js';
import { CredentialDirectory, type UsableCredential } from '../secrets/credential-directory.js';
import { Chance } from './chance.js';
import { EndpointHealth, RESTING } from './endpoint-health.js';
import { inOrderOfUse, type Contender } from './endpoint-order.js';
import { EndpointPace } from './endpoint-pace.js';
import type { ProviderPreferences } from './inference-context.js';

type Options = Readonly<Record<string, unknown>>;

/** What a call needs to be planned. */
export interface Wish {
  readonly model: string;
  readonly capability: Capability;
  readonly caller: Principal;
  readonly preferences: ProviderPreferences;
  /** Why an endpoint cannot take the request; undefined where it can. */
  readonly misfit: (endpoint: CatalogueEndpoint) => string | undefined;
  /** The most that the request can cost there. */
  readonly worstCase: (endpoint: CatalogueEndpoint, options: Options) => Nano;
}

/** One try that the call may make, with what it needs. */
export interface PlannedEndpoint extends Contender {
  /** The caller's passthrough options for this provider, reduced to the names the endpoint allows. */
  readonly options: Options;
  /** The platform's; null where none is needed or the caller's own is used. */
  readonly credential: SecretValue | null;
  /** The caller's own credential that opens this try; its secret is read only when the try is made. */
  readonly ownCredentialId?: string;
  /** Set where the endpoint cannot be called for want of something of the operator's, or of its health; said only after the money checks. */
  readonly missing?: string;
}

/** What a call without passthrough options has of them. */
const NO_OPTIONS: Options = {};

/** Chooses the tries of a call, in their order. Never empty. */
@Injectable()
export class RoutePlanner {
  constructor(
    private readonly catalogue: Catalogue,
    private readonly config: Config,
    private readonly credentials: CredentialDirectory,
    private readonly health: EndpointHealth,
    private readonly pace: EndpointPace,
    private readonly chance: Chance,
  ) {}

  /** A plan at once where the workspace's own credentials are remembered. */
  plan(wish: Wish): PlannedEndpoint[] | Promise<PlannedEndpoint[]> {
    const contenders = this.#fitting(wish).map((endpoint) => this.#contender(endpoint, wish));
    const healthy = contenders.filter(({ endpoint }) => this.health.isCallable(endpoint));
    const ordered = inOrderOfUse(healthy.length > 0 ? healthy : contenders, wish.preferences, this.pace, this.chance);
    const own = ordered.map(({ endpoint }) =>
      endpoint.needsCredential ? this.credentials.forCall(wish.caller, endpoint.provider, wish.model) : NONE,
    );
    return whenReady(own, (credentials) => this.#choose(ordered, credentials, wish.preferences, healthy.length > 0));
  }

  #choose(
    ordered: readonly PlannedEndpoint[],
    own: readonly (readonly UsableCredential[])[],
    preferences: ProviderPreferences,
    isHealthy: boolean,
  ): PlannedEndpoint[] {
    const tries = this.#tries(ordered, own);
    const callable = tries.filter((planned) => planned.missing === undefined);
    const chosen = callable.length > 0 ? callable : tries;
    const planned = preferences.allowFallbacks
      ? chosen
      : chosen.filter(({ endpoint }) => endpoint === chosen[0]!.endpoint);
    return isHealthy ? planned : [{ ...planned[0]!, missing: RESTING }];
  }

  #fitting({ model, capability, preferences: { only, ignore }, misfit }: Wish): CatalogueEndpoint[] {
    const known = this.catalogue.find(model);
    if (!known) throw notFound(`Model ${quoted(model)} is not known. GET /models lists the models.`);
    const able = known.endpoints.filter(
      (endpoint) => endpoint.capability === capability && endpoint.adapter !== null && endpoint.pricing.length > 0,
    );
    if (able.length === 0)
      throw notFound(
        `Model ${quoted(model)} has no endpoint that can do this. GET /models shows what each model can do.`,
      );
    const named = (names: readonly string[], { provider, tag }: CatalogueEndpoint): boolean =>
      names.includes(provider) || names.includes(tag);
    const wanted = able.filter((endpoint) => (!only || named(only, endpoint)) && !(ignore && named(ignore, endpoint)));
    if (wanted.length === 0)
      throw notFound(`No provider of ${quoted(model)} is left by the request's provider preferences`);
    const fitting = wanted.filter((endpoint) => misfit(endpoint) === undefined);
    if (fitting.length === 0) throw invalidRequest(misfit(wanted[0]!)!);
    return fitting;
  }

  #contender(endpoint: CatalogueEndpoint, { preferences, worstCase }: Wish): PlannedEndpoint {
    const given = preferences.options[endpoint.provider];
    const options = given
      ? Object.fromEntries(
          Object.entries(given).filter(([name]) => endpoint.allowedPassthroughParameters.includes(name)),
        )
      : NO_OPTIONS;
    return { endpoint, options, worstCase: worstCase(endpoint, options), credential: null };
  }

  /** Own credentials in their order, over all endpoints; then the platform's; then own ones that are marked as fallback (wire-notes section 9). */
  #tries(ordered: readonly PlannedEndpoint[], own: readonly (readonly UsableCredential[])[]): PlannedEndpoint[] {
    const first: PlannedEndpoint[] = [];
    const last: PlannedEndpoint[] = [];
    ordered.forEach((contender, index) => {
      for (const { id, isFallback } of own[index]!)
        (isFallback ? last : first).push({ ...contender, ownCredentialId: id });
    });
    return [...first, ...ordered.map((contender) => this.#onThePlatform(contender)), ...last];
  }

  #onThePlatform(contender: PlannedEndpoint): PlannedEndpoint {
    const { needsCredential, provider } = contender.endpoint;
    if (!needsCredential) return contender;
    const { apiKey } = this.config.provider(provider);
    if (apiKey) return { ...contender, credential: apiKey };
    const variable = `${provider.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}_API_KEY`;
    return {
      ...contender,
      missing: `Provider ${provider} has no credential here: the operator sets ${variable}, or you bring your own by POST /byok`,
    };
  }
}

const NONE: readonly UsableCredential[] = [];

const quoted = (model: string): string => `"${model.slice(0, 200)}"`;
