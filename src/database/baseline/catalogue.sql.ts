/**
 * Catalogue data that operators import, and model names that they set. The catalogue that ships with the service is
 * never copied here (decision 0008).
 */
export const CATALOGUE: readonly string[] = [
  `create table catalogue_import (
    no int generated always as identity primary key,
    kind text not null check (kind in ('catalogue', 'benchmarks')),
    format text not null,
    digest text not null,
    entries int not null,
    imported_at timestamptz not null
  )`,
  `create table catalogue_model (
    id text primary key,
    entry jsonb not null,
    import_no int not null references catalogue_import
  )`,
  `create table catalogue_provider (
    slug text primary key,
    entry jsonb not null,
    import_no int not null references catalogue_import
  )`,
  `create table catalogue_benchmarks (
    source text primary key check (source in ('index-source', 'arena-source')),
    scores jsonb not null,
    import_no int not null references catalogue_import
  )`,
  // Every import inserts one row into catalogue_import, so every replica is notified when the import commits.
  `create or replace function catalogue_changed() returns trigger language plpgsql as $$
  begin
    perform pg_notify('catalogue_changed', new.no::text);
    return null;
  end $$`,
  `create trigger catalogue_changed after insert on catalogue_import
    for each row execute function catalogue_changed()`,
  // Names of models that the operator sets. Every replica keeps all of these names in memory.
  'create table model_alias (name text primary key, model text not null, set_at timestamptz not null)',
  `create or replace function model_alias_changed() returns trigger language plpgsql as $$
  begin
    perform pg_notify('model_alias_changed', '');
    return null;
  end $$`,
  `create trigger model_alias_changed after insert or update or delete on model_alias
    for each statement execute function model_alias_changed()`,
];
