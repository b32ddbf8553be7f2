import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../audit/audit-trail.js';
import { Sql } from '../database/sql.js';
import { markTokenUsed } from '../database/used-tokens.js';
import type { CallerPlace } from '../kernel/caller-place.js';
import type { Principal } from '../kernel/principal.js';
import type { FederationPolicy } from './federation-policies.js';
import type { AcceptedToken } from './subject-tokens.js';
import { invalidGrant } from './token-refusal.js';

/** Records which tokens of issuers were exchanged. */
@Injectable()
export class UsedTokens {
  constructor(
    private readonly sql: Sql,
    private readonly audit: AuditTrail,
  ) {}

  /** Throws a TokenRefusal if the token was used before, on any replica. */
  async take(
    { id, acceptedUntilS }: AcceptedToken,
    policy: FederationPolicy,
    by: Principal,
    place: CallerPlace,
  ): Promise<void> {
    await this.sql.transaction(async (session) => {
      const isFirst = await markTokenUsed(session, policy.issuer, id, new Date(Math.ceil(acceptedUntilS) * 1_000));
      if (!isFirst) throw invalidGrant('subject_token was already exchanged: each token is accepted only once');
      await this.audit.record({ by, action: 'use', kind: 'federation_policy', id: policy.id, place }, session);
    });
  }
}
