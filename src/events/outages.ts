import { Injectable } from '@nestjs/common';
import { Sql } from '../database/sql.js';
import { newId } from '../kernel/ids.js';

/** An outage ends if no replica confirms it for this time, even if no replica detected the recovery. */
const FORGOTTEN_AFTER = `interval '15 minutes'`;

/** The data about an endpoint in events. */
interface EndpointFacts {
  readonly provider: string;
  readonly model: string;
  readonly capability: string;
}

/**
 * Events about vendor endpoints. Each replica detects outages separately. The table of outages combines the findings of
 * several replicas into one event. The events belong to the operator's account, which is the first account.
 */
@Injectable()
export class Outages {
  constructor(private readonly sql: Sql) {}

  /** Call it each time an endpoint is found unhealthy. */
  async begin(endpoint: string, facts: EndpointFacts): Promise<void> {
    await this.sql.query(
      `with noted as (
         insert into endpoint_outage as o (endpoint, token) values ($1, $2)
         on conflict (endpoint) do update set seen_at = clock_timestamp(),
           token = case when o.seen_at < clock_timestamp() - ${FORGOTTEN_AFTER} then excluded.token else o.token end
         returning o.token)
       insert into event (account_no, type, data)
       select first_account_no(), 'endpoint.unhealthy', $3 from noted
       where token = $2 and first_account_no() is not null`,
      [endpoint, newId(), JSON.stringify({ endpoint, ...facts })],
    );
  }

  async end(endpoint: string, facts: EndpointFacts): Promise<void> {
    await this.sql.query(
      `with ended as (delete from endpoint_outage where endpoint = $1 returning 1)
       insert into event (account_no, type, data)
       select first_account_no(), 'endpoint.recovered', $2 from ended where first_account_no() is not null`,
      [endpoint, JSON.stringify({ endpoint, ...facts })],
    );
  }
}
