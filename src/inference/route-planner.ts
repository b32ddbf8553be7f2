import { Injectable } from '@nestjs/common';
import { Catalogue } from '../catalogue/catalogue.js';
import type { Capability, CatalogueEndpoint } from '../catalogue/catalogue-model.js';
import { Config } from '../config/config.js';
import { GatewayError, notFound } from '../kernel/errors.js';
import type { SecretValue } from '../kernel/secret-value.js';
import type { ProviderPreferences } from './inference-context.js';

/** One endpoint that the call may try, with what it needs. */
export interface PlannedEndpoint {
  readonly endpoint: CatalogueEndpoint;
  readonly credential: SecretValue | null;
  /** The caller's passthrough options for this provider, reduced to the names the endpoint allows. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Set where the endpoint cannot be called for want of something of the operator's; said only after the money checks. */
  readonly missing?: string;
}

/** Chooses the endpoints for a call, in the order in which they are tried. Never empty. */
@Injectable()
export class RoutePlanner {
  constructor(
    private readonly catalogue: Catalogue,
    private readonly config: Config,
  ) {}

  plan(model: string, capability: Capability, preferences: ProviderPreferences): PlannedEndpoint[] {
    const known = this.catalogue.find(model);
    if (!known) throw notFound(`Model ${quoted(model)} is not known. GET /models lists the models.`);
    const able = known.endpoints.filter((endpoint) => endpoint.capability === capability && endpoint.adapter !== null && endpoint.pricing.length > 0);
    if (able.length === 0) throw notFound(`Model ${quoted(model)} has no endpoint that can do this. GET /models shows what each model can do.`);
    const { only, ignore } = preferences;
    const wanted = able.filter((endpoint) => (!only || only.includes(endpoint.provider)) && !ignore?.includes(endpoint.provider));
    if (wanted.length === 0) throw notFound(`No provider of ${quoted(model)} is left by the request's provider preferences`);
    const ordered = inOrder(wanted, preferences.order);
    const planned = ordered.map((endpoint) => this.#planned(endpoint, preferences));
    const callable = planned.filter((candidate) => candidate.missing === undefined);
    const chosen = callable.length > 0 ? callable : planned;
    return preferences.allowFallbacks ? chosen : chosen.slice(0, 1);
  }

  #planned(endpoint: CatalogueEndpoint, preferences: ProviderPreferences): PlannedEndpoint {
    const given = preferences.options[endpoint.provider] ?? {};
    const options = Object.fromEntries(Object.entries(given).filter(([name]) => endpoint.allowedPassthroughParameters.includes(name)));
    if (!endpoint.needsCredential) return { endpoint, credential: null, options };
    const { apiKey } = this.config.provider(endpoint.provider);
    if (apiKey) return { endpoint, credential: apiKey, options };
    const variable = `${endpoint.provider.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}_API_KEY`;
    return { endpoint, credential: null, options, missing: `Provider ${endpoint.provider} has no credential here: the operator sets ${variable}` };
  }
}

/** Faults that the next endpoint may mend; what the caller got wrong it may not (wire-notes section 12). */
export function mayFallBack(error: unknown): boolean {
  return !(error instanceof GatewayError) || !['invalid_request', 'payload_too_large', 'caller_gone', 'insufficient_credits', 'unauthenticated'].includes(error.kind);
}

function inOrder(endpoints: readonly CatalogueEndpoint[], order: readonly string[] | undefined): CatalogueEndpoint[] {
  if (!order) return [...endpoints];
  const place = (endpoint: CatalogueEndpoint): number => {
    const index = order.indexOf(endpoint.provider);
    return index < 0 ? order.length : index;
  };
  return endpoints.toSorted((a, b) => place(a) - place(b));
}

const quoted = (model: string): string => `"${model.slice(0, 200)}"`;
