import type { EffectiveSecret, SecretRecord } from '../../vaults/vault-owner.js';
import type { SecretPage } from '../../vaults/vault-secrets.js';
import type { EffectiveSecretResponse, SecretListResponse, SecretResponse } from './dto/vault.response.dto.js';

export const toSecret = ({ name, hosts, fingerprint, createdAt }: SecretRecord): SecretResponse => ({
  name,
  hosts: [...hosts],
  fingerprint,
  created_at: createdAt.toISOString(),
});

export const toSecretList = ({ secrets, hasMore }: SecretPage): SecretListResponse => ({
  data: secrets.map(toSecret),
  has_more: hasMore,
});

export const toEffectiveSecret = (secret: EffectiveSecret): EffectiveSecretResponse => ({
  ...toSecret(secret),
  scope: secret.scope,
});
