import { Migration } from '@mikro-orm/migrations';

/**
 * The entries of calls in the ledger are their records, and the outbox has an entry a batch. Calls whose records were
 * removed keep their entries.
 */
export class Migration0037RecordsAreEntries extends Migration {
  override up(): void {
    this.addSql('create index generation_account on generation (account_no, created_at)');
    this.addSql(
      `delete from ledger_entry e using generation g
       where e.kind = 'generation' and g.created_at = e.created_at and g.id = e.generation_id`,
    );
    this.addSql('drop index ledger_entry_changes');
    this.addSql('alter table outbox add column generation_ids uuid[], add column times timestamptz[]');
    this.addSql('update outbox set generation_ids = array[generation_id], times = array[created_at]');
    this.addSql('alter table outbox drop column generation_id, drop column created_at');
    this.addSql('alter table outbox alter generation_ids set not null, alter times set not null');
    // Sequence numbers that tell the calls of an entry apart: a batch has at most 256.
    this.addSql(
      `create view outbox_call as
       select o.xid, o.seq * 1024 + c.place as seq, c.generation_id, c.created_at
       from outbox o cross join lateral unnest(o.generation_ids, o.times) with ordinality
         as c(generation_id, created_at, place)`,
    );
    // What changed the credits of an account: calls that cost something, and the entries that are not of calls, or of
    // all calls of a day whose records were removed.
    this.addSql(
      `create view ledger_line as
       select account_no, key_no, kind, amount, generation_id, created_at from ledger_entry
       union all
       select account_no, key_no, 'generation', -cost, id, created_at from generation
       where cost <> 0 and not synthetic`,
    );
  }
}
