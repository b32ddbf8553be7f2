import type { Settings } from '../../audit/setting-changes.js';
import type { CredentialSetup, PlatformCredential } from '../../channels/platform-credential.js';
import type { ChannelTest, ListedModel } from '../../inference/channel-tests.js';
import type { ListedChannel } from '../../inference/listed-channels.js';
import type { UpdateChannelRequest } from './dto/channel.request.dto.js';
import { givenMembers } from '../../kernel/given-members.js';
import type { ChannelModelsResponse, ChannelRecord, ChannelTestResponse } from './dto/channel.response.dto.js';

export function toChannelRecord(channel: ListedChannel): ChannelRecord {
  const { report } = channel;
  return {
    id: channel.id,
    provider: channel.provider,
    name: channel.name,
    label: channel.label,
    source: channel.source,
    base_url: channel.baseUrl,
    region: channel.region,
    api_version: channel.apiVersion,
    headers: { ...channel.headers },
    secret_headers: [...channel.secretHeaderNames],
    priority: channel.priority,
    weight: channel.weight,
    allowed_models: channel.allowedModels && [...channel.allowedModels],
    denied_models: [...channel.deniedModels],
    model_names: { ...channel.modelNames },
    rpm: channel.rpm,
    tpm: channel.tpm,
    max_concurrent: channel.maxConcurrent,
    disabled: channel.disabled,
    state: report.state,
    resting_until: timeOf(report.restingUntil),
    last_success_at: timeOf(report.lastSuccessAt),
    last_error: report.lastError && { status: report.lastError.status, at: report.lastError.at.toISOString() },
    requests_1h: report.requests,
    errors_1h: report.errors,
    p50_ms: report.medianMs,
    created_at: timeOf(channel.createdAt),
    updated_at: timeOf(channel.updatedAt),
  };
}

/** The changeable settings of a credential except its secrets, for the audit. Headers are listed by name only. */
export const toAuditedSettings = (channel: PlatformCredential): Settings => ({
  name: channel.name,
  base_url: channel.baseUrl,
  region: channel.region,
  api_version: channel.apiVersion,
  headers: Object.keys(channel.headers),
  priority: channel.priority,
  weight: channel.weight,
  allowed_models: channel.allowedModels,
  denied_models: channel.deniedModels,
  model_names: channel.modelNames,
  rpm: channel.rpm,
  tpm: channel.tpm,
  max_concurrent: channel.maxConcurrent,
  disabled: channel.disabled,
});

/** The settings that the request contains; others are absent. The service checks addresses and headers. */
export function setupOf(request: Omit<UpdateChannelRequest, 'key' | 'secret_headers'>): Partial<CredentialSetup> {
  const setup = {
    name: request.name,
    baseUrl: request.base_url,
    region: request.region,
    apiVersion: request.api_version,
    headers: request.headers,
    priority: request.priority,
    weight: request.weight,
    allowedModels: request.allowed_models,
    deniedModels: request.denied_models === null ? [] : request.denied_models,
    modelNames: request.model_names,
    rpm: request.rpm,
    tpm: request.tpm,
    maxConcurrent: request.max_concurrent,
    disabled: request.disabled,
  };
  return givenMembers(setup);
}

export const toTestResponse = ({ ok, status, latencyMs, message, checked }: ChannelTest): ChannelTestResponse => ({
  ok,
  status,
  latency_ms: latencyMs,
  message,
  checked,
});

export const toModelsResponse = (models: readonly ListedModel[]): ChannelModelsResponse => ({
  models: models.map(({ upstream, id, priced }) => ({ upstream, id: id ?? null, known: id !== undefined, priced })),
  missing: models.filter(({ priced }) => !priced).map(({ upstream }) => upstream),
});

const timeOf = (time: Date | null): string | null => time?.toISOString() ?? null;
