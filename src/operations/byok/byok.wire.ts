import type { Settings } from '../../audit/setting-changes.js';
import type { Dialect } from '../../kernel/dialect.js';
import type { CredentialSettings, ProviderCredential } from '../../secrets/provider-credential.js';
import type { UpdateByokRequest } from './dto/byok.request.dto.js';
import { givenMembers } from '../../kernel/given-members.js';
import type { ByokRecord } from './dto/byok.response.dto.js';

/** Members that the published API description does not have, but that published clients require. */
const EXPECTED_BY_PUBLISHED_CLIENTS = { declared_zdr: null, is_byok_only: false, is_required: false } as const;

/** Converts a credential to its API record, without its secret. */
export function toByokRecord(credential: ProviderCredential, dialect: Dialect): ByokRecord {
  return {
    id: credential.id,
    name: credential.name ?? '',
    label: credential.label,
    provider: credential.provider,
    workspace_id: credential.workspaceId,
    disabled: credential.disabled,
    is_fallback: credential.isFallback,
    sort_order: credential.sortOrder,
    created_at: credential.createdAt.toISOString(),
    allowed_api_key_hashes: credential.allowedApiKeyHashes,
    allowed_models: credential.allowedModels,
    allowed_user_ids: credential.allowedUserIds,
    ...(dialect === 'openrouter' ? EXPECTED_BY_PUBLISHED_CLIENTS : {}),
  };
}

/** The changeable settings of a credential except its secret, for the audit. */
export const toAuditedSettings = (credential: ProviderCredential): Settings => ({
  name: credential.name,
  disabled: credential.disabled,
  is_fallback: credential.isFallback,
  sort_order: credential.sortOrder,
  allowed_api_key_hashes: credential.allowedApiKeyHashes,
  allowed_models: credential.allowedModels,
  allowed_user_ids: credential.allowedUserIds,
});

/** The settings that the request contains; others are absent. */
export function settingsOf(request: Omit<UpdateByokRequest, 'key'>): Partial<CredentialSettings> {
  const settings = {
    name: request.name,
    disabled: request.disabled,
    isFallback: request.is_fallback,
    sortOrder: request.sort_order,
    allowedModels: request.allowed_models,
    allowedApiKeyHashes: request.allowed_api_key_hashes,
    allowedUserIds: request.allowed_user_ids,
  };
  return givenMembers(settings);
}
