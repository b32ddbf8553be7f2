import { Migration } from '@mikro-orm/migrations';

/** Webhooks for people, who read the events in chats and e-mails. */
const STATEMENTS: readonly string[] = [
  // The address of a chat is a credential, so it is sealed. `url` then contains only its origin and its last
  // characters. Formats without a signature have no secret. Nothing is sent before paused_until, which the receiver
  // requested.
  `alter table webhook drop constraint webhook_format_check,
    add constraint webhook_format_check
      check (format in ('standard', 'otlp', 'slack', 'discord', 'teams', 'email')),
    alter column sealed drop not null,
    add column sealed_url bytea,
    add column paused_until timestamptz`,
];

export class Migration0045Alerts extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}
