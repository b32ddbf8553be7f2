import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../audit/audit-trail.js';
import { KeyRotation } from '../../auth/key-rotation.js';
import type { FormerSecret } from '../../auth/known-key.js';
import type { CallerPlace } from '../../kernel/caller-place.js';
import { GatewayError, notFound } from '../../kernel/errors/errors.js';
import type { Principal } from '../../kernel/principal.js';
import { KeyChangeRules } from './key-change-rules.js';

const unknown = (): GatewayError => notFound('No API key has this hash');

/** The secrets that were replaced by rotations and are still valid. */
@Injectable()
export class FormerSecretsService {
  constructor(
    private readonly rotation: KeyRotation,
    private readonly rules: KeyChangeRules,
    private readonly audit: AuditTrail,
  ) {}

  async list(hash: string, caller: Principal): Promise<readonly FormerSecret[]> {
    const secrets = await this.rotation.formerSecrets(caller, hash);
    if (!secrets) throw unknown();
    return secrets;
  }

  /** Returns the number of ended secrets. */
  async end(hash: string, by: Principal, place: CallerPlace): Promise<number> {
    const ended = await this.rotation.endFormerSecrets(by, hash, async ({ key, ended: count }, session) => {
      await this.rules.assertMayChange(key, by, false);
      if (count > 0)
        await this.audit.record({ by, action: 'delete', kind: 'former_secret', id: key.hash, place }, session);
    });
    if (ended === null) throw unknown();
    return ended;
  }
}
