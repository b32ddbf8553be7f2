import { Injectable } from '@nestjs/common';
import { FederationPolicies, type FederationPolicy } from '../../applications/federation-policies.js';
import type { AuditAction } from '../../audit/audit-entry.js';
import { AuditTrail } from '../../audit/audit-trail.js';
import type { InTransaction } from '../../database/session-of.js';
import { pageIn, type OffsetPageRequest } from '../../http/validation/offset-page.request.dto.js';
import { notFound, type GatewayError } from '../../kernel/errors/errors.js';
import { isUuid } from '../../kernel/ids.js';
import type { Paged } from '../../kernel/page.js';
import type { Principal } from '../../kernel/principal.js';
import type { CreateFederationPolicyRequest } from './dto/federation-policy.request.dto.js';

const unknown = (): GatewayError => notFound('No federation policy has this id');

/** Implements the operations of this API group, in the order of the specification. */
@Injectable()
export class FederationPoliciesService {
  constructor(
    private readonly policies: FederationPolicies,
    private readonly audit: AuditTrail,
  ) {}

  list(request: OffsetPageRequest, { accountId }: Principal): Promise<Paged<FederationPolicy>> {
    return this.policies.list(accountId, pageIn(request));
  }

  async create(request: CreateFederationPolicyRequest, caller: Principal): Promise<FederationPolicy> {
    const { name, issuer, subject, audience, jwks_url: jwksUrl = null, api_key_hash: keyHash } = request;
    const wanted = { name, issuer, subject, audience, jwksUrl, keyHash };
    return this.policies.create(wanted, caller, this.#audited('create', caller));
  }

  async get(id: string, { accountId }: Principal): Promise<FederationPolicy> {
    const policy = isUuid(id) ? await this.policies.find(accountId, id) : undefined;
    if (!policy) throw unknown();
    return policy;
  }

  async setDisabled(id: string, disabled: boolean, caller: Principal): Promise<FederationPolicy> {
    const audited = this.#audited('update', caller);
    const policy = isUuid(id) ? await this.policies.setDisabled(caller.accountId, id, disabled, audited) : undefined;
    if (!policy) throw unknown();
    return policy;
  }

  async delete(id: string, caller: Principal): Promise<void> {
    const audited = this.#audited('delete', caller);
    if (!isUuid(id) || !(await this.policies.delete(caller.accountId, id, audited))) throw unknown();
  }

  #audited(action: AuditAction, by: Principal): InTransaction<FederationPolicy> {
    return ({ id }, session) => this.audit.record({ by, action, kind: 'federation_policy', id }, session);
  }
}
