import { Migration } from '@mikro-orm/migrations';

/** Limits of tokens and of concurrent calls, for keys, workspaces, their models and their end users. */
const STATEMENTS: readonly string[] = [
  // CallLimitSettings; null = none. The limit of requests of a key is in requests_per_minute.
  'alter table api_key add column call_limits jsonb',
  'alter table api_key add column trust_end_user_headers boolean not null default false',
  'alter table workspace add column call_limits jsonb',
];

export class Migration0046CallLimits extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}
