import { Injectable } from '@nestjs/common';
import { Sql } from '../database/sql.js';
import { Clock } from '../kernel/clock.js';
import { newId } from '../kernel/ids.js';
import { labelOfCredential } from '../secrets/credential-label.js';
import type { Channel } from './channel.js';

/**
 * A state that a vendor's response reported for a credential. It lasts until the credential serves a call again or is
 * changed.
 */
export interface LastingState {
  readonly state: 'refused' | 'exhausted';
  readonly until: Date;
}

/** Events of credentials belong to the operator's account. */
const INTO_EVENTS = 'insert into event (account_no, type, data)';
const OPERATOR = '(select no from account where is_operator order by no limit 1) as a';

/**
 * The lasting states of the platform's credentials, stored for all replicas. The statement that changes a state also
 * writes its event, so that each event is written once, even if several replicas detect the change.
 */
@Injectable()
export class LastingStates {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {}

  /** States of the credentials of the environment, by version. The state of a stored credential is in its row. */
  async ofEnvironment(): Promise<ReadonlyMap<string, LastingState>> {
    const rows = await this.sql.query<LastingState & { readonly version: string }>(
      'select version, state, state_until as until from environment_credential_state',
    );
    return new Map(rows.map(({ version, ...lasting }) => [version, lasting]));
  }

  /** `status`: the HTTP status of the vendor's response. */
  async begin(channel: Channel, { state, until }: LastingState, status: number | undefined): Promise<void> {
    const facts = { status: status ?? null };
    if (channel.isStored) return this.#setStored(channel, { state, until }, `credential.${state}`, facts);
    await this.sql.query(
      `with noted as (
         insert into environment_credential_state as s (version, state, state_until, token) values ($1, $2, $3, $4)
         on conflict (version) do update set state = excluded.state, state_until = excluded.state_until,
           token = case when s.state = excluded.state then s.token else excluded.token end
         returning token)
       ${INTO_EVENTS} select a.no, $5, $6 from noted, ${OPERATOR} where token = $4`,
      [channel.version, state, until, newId(), `credential.${state}`, this.#environmentData(channel, facts)],
    );
  }

  /** Records that the credential has served a call again. */
  async end(channel: Channel): Promise<void> {
    const type = 'credential.recovered';
    if (channel.isStored) return this.#setStored(channel, undefined, type, {});
    await this.sql.query(
      `with ended as (delete from environment_credential_state where version = $1 returning 1)
       ${INTO_EVENTS} select a.no, $2, $3 from ended, ${OPERATOR}`,
      [channel.version, type, this.#environmentData(channel, {})],
    );
  }

  /** Does nothing if the credential was changed after the call. */
  async #setStored(
    { id, version }: Channel,
    lasting: LastingState | undefined,
    type: string,
    facts: object,
  ): Promise<void> {
    const changedAt = new Date(Number(version.slice(version.indexOf('@') + 1)));
    await this.sql.query(
      `with former as (
         select id, provider, name, label, state from platform_credential
         where id = $1 and coalesce(updated_at, created_at) = $2 for update),
       changed as (
         update platform_credential p set state = $3, state_until = $4 from former f where p.id = f.id returning f.*)
       ${INTO_EVENTS}
       select a.no, $5, jsonb_build_object('id', c.id, 'provider', c.provider, 'name', c.name, 'label', c.label) || $6
       from changed c, ${OPERATOR} where c.state is distinct from $3`,
      [id, changedAt, lasting?.state ?? null, lasting?.until ?? null, type, this.#withTime(facts)],
    );
  }

  #environmentData({ id, provider, secret }: Channel, facts: object): string {
    const label = labelOfCredential(secret!.reveal());
    return this.#withTime({ id, provider, name: null, label, ...facts });
  }

  #withTime = (facts: object): string => JSON.stringify({ ...facts, since: this.clock.now().toISOString() });
}
