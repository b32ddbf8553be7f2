import { Injectable } from '@nestjs/common';
import { Sql } from '../database/sql.js';
import type { SecretValue } from '../kernel/secret-value.js';
import { SecretBox } from '../secrets/secret-box.js';
import { PREVIOUS_VALUE_RETENTION } from './previous-values.js';
import { REACHABLE_VAULTS } from './reachable-secrets.js';
import { bindingOf } from './vault-owner.js';

/** An intern and a host that it connects to. */
export interface InternAndHost {
  readonly internId: string;
  readonly host: string;
}

/** SQL for current and previous values within reach of interns i, with the hosts that may have received them. */
const KNOWN = `from ${REACHABLE_VAULTS}
  cross join lateral (
    select s.name, s.hosts, s.sealed from vault_secret s where s.vault_id = v.id
    union all
    select p.name, p.hosts, p.sealed from vault_secret_previous p where p.vault_id = v.id
      and p.replaced_at > clock_timestamp() - ${PREVIOUS_VALUE_RETENTION}
  ) k`;

/**
 * The values to mask in a host's responses to an intern: every value within the intern's reach that is or was bound to
 * the host. Includes values hidden by a secret of the same name in another vault. Opening these values is not a release
 * and writes no audit row, because they are not sent anywhere.
 */
@Injectable()
export class MaskableSecrets {
  constructor(
    private readonly sql: Sql,
    private readonly box: SecretBox,
  ) {}

  /** Whether there are values to mask. */
  async isKnownTo(pair: InternAndHost): Promise<boolean> {
    return (await this.knownAmong([pair])).length > 0;
  }

  /** Returns the pairs for which there are values to mask. */
  async knownAmong(pairs: readonly InternAndHost[]): Promise<InternAndHost[]> {
    return this.sql.query<InternAndHost>(
      `select a.intern_id as "internId", a.host from unnest($1::uuid[], $2::text[]) as a(intern_id, host)
       where exists (select 1 ${KNOWN} where i.id = a.intern_id and a.host = any(k.hosts))`,
      [pairs.map(({ internId }) => internId), pairs.map(({ host }) => host)],
    );
  }

  /** A version that changes whenever the result of `valuesFor` may change, except when a previous value expires. */
  async versionOf(internId: string): Promise<string> {
    const [row] = await this.sql.query<{ version: string | null }>(
      `select string_agg(v.id || ':' || v.version, ' ' order by v.id) as version from ${REACHABLE_VAULTS}
        where i.id = $1`,
      [internId],
    );
    return row?.version ?? '';
  }

  /** Returns at most `limit` values. */
  async valuesFor({ internId, host }: InternAndHost, limit: number): Promise<SecretValue[]> {
    const rows = await this.sql.query<{ vault_id: string; data_key_id: string; name: string; sealed: Buffer }>(
      `select v.id as vault_id, v.data_key_id, k.name, k.sealed ${KNOWN} where i.id = $1 and $2 = any(k.hosts)
        limit $3`,
      [internId, host, limit],
    );
    const values: SecretValue[] = [];
    for (const { vault_id: vaultId, data_key_id: dataKeyId, name, sealed } of rows)
      values.push(await this.box.open(dataKeyId, bindingOf(vaultId, name), sealed));
    return values;
  }
}
