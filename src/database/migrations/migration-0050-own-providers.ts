import { Migration } from '@mikro-orm/migrations';

/** Providers and models that the operator adds while the service runs, in addition to the imported ones. */
const STATEMENTS: readonly string[] = [
  `create table own_provider (
    slug text primary key,
    name text,
    format text not null,
    base_url text not null,
    needs_credential boolean not null,
    privacy jsonb not null default '{}',
    created_at timestamptz not null
  )`,
  // One row for each version of a model. Removed models keep their versions.
  `create table own_model (
    provider text not null,
    id text not null,
    version int not null check (version > 0),
    setup jsonb not null,
    is_current boolean not null,
    created_at timestamptz not null,
    set_at timestamptz not null,
    primary key (provider, id, version)
  )`,
  'create unique index own_model_current on own_model (provider, id) where is_current',
];

export class Migration0050OwnProviders extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}
