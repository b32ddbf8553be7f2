import { Injectable } from '@nestjs/common';
import { KeyDirectory } from '../auth/key-directory.js';
import type { KnownKey } from '../auth/known-key.js';
import { refuseUnusable } from '../auth/refuse-unusable.js';
import type { CallerPlace } from '../kernel/caller-place.js';
import { Clock } from '../kernel/clock.js';
import { isUuid } from '../kernel/ids.js';
import { FederatedTokens } from './federated-tokens.js';
import { FederationPolicies, type FederationPolicy } from './federation-policies.js';
import { SubjectTokens } from './subject-tokens.js';
import { invalidGrant } from './token-refusal.js';
import { UsedTokens } from './used-tokens.js';

const MAX_TOKEN_LIFE_S = 900;

export interface AccessToken {
  readonly token: string;
  readonly expiresInS: number;
}

/**
 * Exchanges the subject token of a workload for an access token that acts as the key of a policy (RFC 8693). Each
 * subject token is exchanged only once.
 */
@Injectable()
export class TokenExchange {
  constructor(
    private readonly policies: FederationPolicies,
    private readonly subjects: SubjectTokens,
    private readonly tokens: FederatedTokens,
    private readonly directory: KeyDirectory,
    private readonly once: UsedTokens,
    private readonly clock: Clock,
  ) {}

  /** Throws a TokenRefusal, or `unavailable` if the keys of the issuer cannot be fetched or there is no master key. */
  async exchange(policyId: string, subjectToken: string, origin: string, place: CallerPlace): Promise<AccessToken> {
    const policy = isUuid(policyId) ? await this.policies.findById(policyId) : undefined;
    if (!policy || policy.disabled) throw invalidGrant('federation_policy_id must be the id of an enabled policy');
    const accepted = await this.subjects.verify(subjectToken, policy);
    const nowS = Math.floor(this.clock.now().getTime() / 1_000);
    const expiresAtS = Math.min(nowS + MAX_TOKEN_LIFE_S, Math.floor(accepted.expiresAtS));
    if (expiresAtS <= nowS) throw invalidGrant('subject_token: it has expired, or was issued more than an hour ago');
    const { principal } = await this.#usableKey(policy);
    const content = { policyId: policy.id, keyHash: principal.keyHash, origin, expiresAtS };
    // Sign the access token before the subject token is marked as used. If signing fails because there is no master
    // key, the workload can then retry.
    const token = await this.tokens.issue(content);
    await this.once.take(accepted, policy, principal, place);
    return { token, expiresInS: expiresAtS - nowS };
  }

  async #usableKey(policy: FederationPolicy): Promise<KnownKey> {
    const key = await this.directory.find(policy.keyHash);
    if (!key) throw invalidGrant('The API key of the policy was deleted');
    try {
      refuseUnusable(key, this.clock.now());
    } catch {
      throw invalidGrant('The API key of the policy is disabled or has expired');
    }
    return key;
  }
}
