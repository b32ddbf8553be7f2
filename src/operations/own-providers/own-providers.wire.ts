import type { Settings } from '../../audit/setting-changes.js';
import {
  capabilityOf,
  pricesOf,
  type GivenModel,
  type OwnModel,
  type OwnPricing,
  type OwnPrivacy,
  type OwnProvider,
  type OwnProviderChanges,
} from '../../catalogue/own-provider.js';
import { givenMembers } from '../../kernel/given-members.js';
import type { ListedModel } from '../../inference/channel-tests.js';
import type {
  CreateOwnProviderRequest,
  OwnPrivacyRequest,
  SetOwnModelRequest,
  UpdateOwnProviderRequest,
} from './dto/own-provider.request.dto.js';
import type { DiscoveredModelsResponse, OwnModelRecord, OwnProviderRecord } from './dto/own-provider.response.dto.js';

/** The provider in a request. The service checks the address. */
export const providerOf = (request: CreateOwnProviderRequest): Omit<OwnProvider, 'createdAt'> => ({
  slug: request.slug,
  name: request.name ?? null,
  format: request.format,
  baseUrl: request.base_url,
  needsCredential: request.needs_credential ?? true,
  privacy: privacyOf(request.privacy ?? {}),
});

/** The changes of a request. The service checks the address. */
export const changesOf = ({ name, base_url, privacy }: UpdateOwnProviderRequest): OwnProviderChanges =>
  givenMembers<OwnProviderChanges>({ name, baseUrl: base_url, privacy: privacy && privacyOf(privacy) });

const privacyOf = ({ policy_url, zero_data_retention }: OwnPrivacyRequest): OwnPrivacy =>
  givenMembers<OwnPrivacy>({ policyUrl: policy_url, zeroDataRetention: zero_data_retention });

export const modelOf = (request: SetOwnModelRequest): GivenModel => ({
  capability: request.capability ?? 'chat',
  upstream: request.upstream,
  name: request.name ?? null,
  contextLength: request.context_length ?? 0,
  maxCompletionTokens: request.max_completion_tokens ?? null,
  inputModalities: request.input_modalities,
  supportedParameters: request.supported_parameters,
  // Copy to a plain object without absent members, as the database returns it.
  pricing: request.pricing ? (JSON.parse(JSON.stringify(request.pricing)) as OwnPricing) : null,
});

export const toProviderRecord = (provider: OwnProvider): OwnProviderRecord => ({
  slug: provider.slug,
  name: provider.name,
  format: provider.format,
  base_url: provider.baseUrl,
  needs_credential: provider.needsCredential,
  privacy: {
    policy_url: provider.privacy.policyUrl ?? null,
    zero_data_retention: provider.privacy.zeroDataRetention ?? null,
  },
  created_at: provider.createdAt.toISOString(),
});

/** The settings of a provider, for the audit. */
export const toAuditedSettings = (provider: OwnProvider): Settings => {
  const { name, format, base_url, needs_credential, privacy } = toProviderRecord(provider);
  return { name, format, base_url, needs_credential, privacy };
};

export const toModelRecord = ({ provider, id, version, setup, setAt }: OwnModel): OwnModelRecord => ({
  id: `${provider}/${id}`,
  version,
  capability: capabilityOf(setup),
  upstream: setup.upstream,
  name: setup.name,
  context_length: setup.contextLength || null,
  max_completion_tokens: setup.maxCompletionTokens,
  input_modalities: [...setup.inputModalities],
  supported_parameters: [...setup.supportedParameters],
  pricing: pricesOf(setup) && { ...pricesOf(setup) },
  updated_at: setAt.toISOString(),
});

/** The settings of a model, for the audit. */
export const toAuditedModelSettings = (model: OwnModel): Settings => {
  const { id: _id, version: _version, updated_at: _updatedAt, ...settings } = toModelRecord(model);
  return settings;
};

export const toDiscoveredModels = (models: readonly ListedModel[]): DiscoveredModelsResponse => ({
  models: models.map(({ upstream, id, priced }) => ({ upstream, id: id ?? null, priced })),
  missing: models.filter(({ priced }) => !priced).map(({ upstream }) => upstream),
});
