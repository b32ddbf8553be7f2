import type { FederationPolicy } from '../../applications/federation-policies.js';
import type { FederationPolicyRecord } from './dto/federation-policy.response.dto.js';

/** Converts a policy to its API record. */
export const toPolicyRecord = (policy: FederationPolicy): FederationPolicyRecord => ({
  id: policy.id,
  name: policy.name,
  issuer: policy.issuer,
  jwks_url: policy.jwksUrl,
  subject: policy.subject,
  audience: policy.audience,
  api_key_hash: policy.keyHash,
  disabled: policy.disabled,
  created_at: policy.createdAt.toISOString(),
  updated_at: policy.updatedAt?.toISOString() ?? null,
});
