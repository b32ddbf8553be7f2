import { Injectable } from '@nestjs/common';
import { Sql } from '../database/sql.js';
import type { InternAndHost } from './maskable-secrets.js';
import { reachableSecretsOf } from './reachable-secrets.js';

/** The hosts that an intern may reach: the hosts of its effective secrets and the hosts that its settings allow. */
@Injectable()
export class ReachableHosts {
  constructor(private readonly sql: Sql) {}

  async includes(pair: InternAndHost): Promise<boolean> {
    return (await this.among([pair])).length > 0;
  }

  /** The pairs whose host is reachable for their intern. */
  async among(pairs: readonly InternAndHost[]): Promise<InternAndHost[]> {
    return this.sql.query<InternAndHost>(
      `select a.intern_id as "internId", a.host from unnest($1::uuid[], $2::text[]) as a(intern_id, host)
       where exists (select 1 from intern i where i.id = a.intern_id and a.host = any(i.allowed_hosts))
         or exists (
           select 1 from (
             select distinct on (s.name collate "C") s.hosts ${reachableSecretsOf('a.intern_id')}
             order by s.name collate "C", r.rank) effective
           where a.host = any(effective.hosts))`,
      [pairs.map(({ internId }) => internId), pairs.map(({ host }) => host)],
    );
  }
}
