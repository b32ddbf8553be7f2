import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';
import { placeholderOf } from '../../egress/placeholder.js';
import type { SecretNotice } from '../../runtimes/runtime.driver.js';
import { EffectiveSecrets } from '../../vaults/effective-secrets.js';
import { Vaults } from '../../vaults/vaults.js';

/** What an intern is told of its secrets at boot. */
@Injectable()
export class BootSecrets {
  constructor(
    private readonly sql: Sql,
    private readonly vaults: Vaults,
    private readonly effective: EffectiveSecrets,
  ) {}

  /** Also makes the private vault where a creation was never finished. */
  async of(internId: string): Promise<SecretNotice[]> {
    await this.sql.transaction((session) => this.vaults.ensureOfIntern(session, internId));
    const secrets = await this.effective.list(internId);
    return secrets.map(({ name, hosts }) => ({ name, hosts, placeholder: placeholderOf(name) }));
  }
}
