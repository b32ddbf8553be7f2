import { Migration } from '@mikro-orm/migrations';

const STATEMENTS: readonly string[] = [
  // The session of the browser when the sign-in began. It is stored because the callback is a cross-site request
  // without the session cookie.
  'alter table sign_in_attempt add column previous_session_id uuid',
  // The source `provider`: the membership follows the groups of an identity provider at each sign-in.
  `alter table workspace_member add column source text not null default 'manual'
    check (source in ('manual', 'provider'))`,
  `create index console_session_identity on console_session (issuer, subject) where issuer is not null`,
];

export class Migration0041Identities extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}
