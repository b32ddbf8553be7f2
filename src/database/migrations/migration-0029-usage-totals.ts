import { Migration } from '@mikro-orm/migrations';

/**
 * Totals of the recorded calls, for the metrics. `seen` is the snapshot of the outbox up to which calls are counted: it
 * is updated with the totals, in one transaction. Histograms have the number of calls at or below each bound.
 */
export class Migration0029UsageTotals extends Migration {
  override up(): void {
    this.addSql(`create table usage_total (
      modality smallint not null,
      provider text not null,
      model text not null,
      calls numeric not null,
      outcomes numeric[] not null,
      cost numeric not null,
      duration_ms numeric not null,
      durations numeric[] not null,
      input_tokens numeric not null,
      input_calls numeric not null,
      inputs numeric[] not null,
      output_tokens numeric not null,
      output_calls numeric not null,
      outputs numeric[] not null,
      primary key (modality, provider, model)
    )`);
    this.addSql(`create table usage_total_position (
      only_row boolean primary key default true check (only_row),
      seen pg_snapshot not null default '3:3:',
      since timestamptz not null default now()
    )`);
    this.addSql('insert into usage_total_position default values');
  }
}
