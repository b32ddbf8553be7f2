import type { ByokCredential } from '../database/entities/byok-credential.entity.js';

/** A caller's own credential without its secret. */
export type ProviderCredential = Readonly<Omit<ByokCredential, 'sealed' | 'dataKeyId'>>;

/** The settings that the owner of a credential can change. */
export type CredentialSettings = Pick<
  ProviderCredential,
  'name' | 'disabled' | 'isFallback' | 'sortOrder' | 'allowedModels' | 'allowedApiKeyHashes' | 'allowedUserIds'
>;

/** Names the row to which the sealed bytes are bound. */
export const bindingOfCredential = (id: string): string => `byok:${id}`;

/** Returns the credential without its sealed secret and without the id of its data key. */
export function withoutSecret(credential: ByokCredential): ProviderCredential {
  return {
    id: credential.id,
    accountId: credential.accountId,
    workspaceId: credential.workspaceId,
    provider: credential.provider,
    name: credential.name,
    label: credential.label,
    disabled: credential.disabled,
    isFallback: credential.isFallback,
    sortOrder: credential.sortOrder,
    allowedModels: credential.allowedModels,
    allowedApiKeyHashes: credential.allowedApiKeyHashes,
    allowedUserIds: credential.allowedUserIds,
    createdAt: credential.createdAt,
    updatedAt: credential.updatedAt,
  };
}
