import { Migration } from '@mikro-orm/migrations';

/** The states of the credentials of the environment, which have no row in platform_credential. */
const STATEMENTS: readonly string[] = [
  // `version` names the credential and its masked key. `token` identifies the statement that began the state.
  `create table environment_credential_state (
    version text primary key,
    state text not null check (state in ('refused', 'exhausted')),
    state_until timestamptz not null,
    token uuid not null
  )`,
  `create trigger environment_credential_state_changed after insert or update or delete on environment_credential_state
    for each statement execute function platform_credential_changed()`,
];

export class Migration0052EnvironmentCredentialStates extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}
