import { MONEY_TABLES } from '../../../src/database/tables.js';
import { Sql } from '../../../src/database/sql.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database.js';

/**
 * Tables of billing and usage that are exempt, with the reason. The test also fails for a listed table that follows the
 * rule.
 */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  usage_label: 'Texts that all accounts share, each once. A reference table: every node has a copy.',
  usage_total: 'Sums over all accounts, for the metrics.',
  usage_total_position: 'One row: the position up to which the sums are complete.',
  usage_feed: 'One row: how long entries of the outbox are kept.',
  outbox: 'An entry for each transaction, in the order of transactions of one node: its calls are of several accounts.',
};

interface Keys {
  readonly table: string;
  /** Whether each row of the table has the number of an account. */
  readonly has_account: boolean;
  /** Primary keys, unique indexes and foreign keys that start with another column. */
  readonly others: string[];
}

/** The tables of the schema `public` in the database. For a partitioned table, also each partition. */
const KEYS = `select coalesce(p.relname, c.relname) as table,
    bool_and(exists (select from pg_attribute a
      where a.attrelid = c.oid and a.attname = 'account_no' and a.attnotnull and not a.attisdropped)) as has_account,
    coalesce(array_agg(k.name order by k.name) filter (where k.name is not null), '{}') as others
  from pg_class c
    left join pg_inherits h on h.inhrelid = c.oid
    left join pg_class p on p.oid = h.inhparent
    left join lateral (
      select i.indexrelid::regclass::text as name, i.indkey[0] as first from pg_index i
      where i.indrelid = c.oid and i.indisunique
      union all
      select f.conname, f.conkey[1] from pg_constraint f where f.conrelid = c.oid and f.contype = 'f') k
      on not exists (select from pg_attribute a
        where a.attrelid = c.oid and a.attnum = k.first and a.attname = 'account_no')
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
  group by 1
  order by 1`;

describe('the keys of the money tables', () => {
  let database: TestDatabase;
  let sql: Sql;
  beforeAll(async () => {
    database = await createTestDatabase();
    sql = new Sql(database.url, 1);
  });
  afterAll(async () => {
    await sql.close();
    await database.drop();
  });

  const tables = (): Promise<Keys[]> => sql.query<Keys>(KEYS);
  const followsRule = ({ has_account: hasAccount, others }: Keys): boolean => hasAccount && others.length === 0;
  const breaking = async (): Promise<string[]> =>
    (await tables())
      .filter((keys) => MONEY_TABLES.includes(keys.table) && !(keys.table in EXCEPTIONS) && !followsRule(keys))
      .map(({ table, others }) => `${table}: ${others.join(', ') || 'no account_no'}`);

  it('begin with the number of the account, so that the rows can be distributed by account', async () => {
    const found = (await tables()).map(({ table }) => table);
    expect(MONEY_TABLES.filter((table) => !found.includes(table))).toEqual([]);
    expect(await breaking()).toEqual([]);
  });

  it('have exceptions that exist and are needed', async () => {
    const needed = (await tables()).filter((keys) => MONEY_TABLES.includes(keys.table) && !followsRule(keys));
    expect(needed.map(({ table }) => table)).toEqual(Object.keys(EXCEPTIONS).toSorted());
  });

  it.each([
    ['ledger_entry: ledger_entry_by_id', 'create unique index ledger_entry_by_id on ledger_entry (id)'],
    [
      'ledger_entry: of_call',
      'alter table ledger_entry add constraint of_call foreign key (key_no) references api_key (no)',
    ],
    [
      'key_balance: key_balance_pkey',
      'alter table key_balance drop constraint key_balance_pkey, add primary key (key_no)',
    ],
    ['generation: generation_default_id_idx', 'create unique index on generation_default (id)'],
    ['reservation: no account_no', 'alter table reservation drop column account_no cascade'],
  ])('are refused if they begin with another column: %s', async (breach, change) => {
    await sql.query('begin');
    await sql.query(change);
    expect(await breaking()).toEqual([breach]);
    await sql.query('rollback');
  });
});
