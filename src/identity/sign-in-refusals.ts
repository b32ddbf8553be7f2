import { Injectable, Logger } from '@nestjs/common';
import { AuditTrail } from '../audit/audit-trail.js';
import type { CallerPlace } from '../kernel/caller-place.js';
import type { SignInRefused } from './sign-in-refused.js';
import { idOfIdentity, type IdentityKey } from './user-identities.js';

const ACTION = 'sign_in_refused';
const KIND = 'user_identity';

interface Refusal {
  readonly provider: string;
  readonly accountId: string;
  readonly refused: SignInRefused;
  /** Absent if the provider confirmed no identity. */
  readonly identity: IdentityKey | undefined;
  readonly place: CallerPlace;
}

export interface ListedRefusal {
  readonly at: Date;
  readonly provider: string;
  readonly reason: string;
  /** Null if the provider confirmed no identity. */
  readonly identityId: string | null;
  readonly address: string | null;
  readonly requestId: string | null;
}

/**
 * Records refused sign-ins as rows of the audit. The id of a row is `<provider>/<reason>`, followed by `/` and the id
 * of the identity if the identity is known.
 */
@Injectable()
export class SignInRefusals {
  readonly #log = new Logger(SignInRefusals.name);

  constructor(private readonly audit: AuditTrail) {}

  async record({ provider, accountId, refused, identity, place }: Refusal): Promise<void> {
    const { reason, detail, kind } = refused;
    if (kind === 'unavailable' || detail !== null)
      this.#log.warn(`A sign-in through ${provider} was refused: ${reason}${detail === null ? '' : ` (${detail})`}`);
    const parts = [provider, reason, ...(identity ? [idOfIdentity(identity)] : [])];
    await this.audit.record({ by: 'service', action: ACTION, kind: KIND, id: parts.join('/'), accountId, place });
  }

  /** The newest first. */
  async list(accountId: string, limit: number): Promise<ListedRefusal[]> {
    const rows = await this.audit.list({ accountId, action: ACTION, kind: KIND, limit });
    return rows.map(({ at, id, address, requestId }) => {
      const [provider = '', reason = '', identityId = null] = id.split('/');
      return { at, provider, reason, identityId, address, requestId };
    });
  }
}
