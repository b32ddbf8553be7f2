import { aGenerationRecord } from '../../../test/support/calls/generation-record.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database/test-database.js';
import { Sql } from '../../database/sql.js';
import { newId } from '../../kernel/ids.js';
import { generationDetail } from '../../usage/generation-detail.js';
import { compositeArrayText } from './composite-text.js';
import { detailRow, detailsText, usageRow } from './ledger-rows.js';
import { DETAIL_COLUMNS } from './sql/detail.sql.js';
import { USAGE_COLUMNS } from './sql/closed-calls.sql.js';

/** Texts with a special meaning in the text form of an array, of a composite value, or of JSON. */
const TEXTS = [
  '',
  ' ',
  'NULL',
  'null',
  '"',
  '\\',
  '\\"',
  '""',
  ',',
  '(a,b)',
  '{a,b}',
  ' a ',
  '\n\t\r',
  "'",
  '😀',
  '-',
  '$1',
];

describe('a composite value', () => {
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

  const columnsOf = async (type: string): Promise<string[]> =>
    (
      await sql.query<{ name: string }>(
        'select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 order by attnum',
        [type],
      )
    ).map(({ name }) => name);

  it.each(TEXTS)('in an array keeps the text %j unchanged', async (text) => {
    const row = DETAIL_COLUMNS.map((column) => (column === 'native_finish_reason' ? text : null));
    const [read] = await sql.query<{ inside: string; rows: number }>(
      `select (($1::ledger_detail[])[2]).native_finish_reason as inside, cardinality($1::ledger_detail[]) as rows`,
      [compositeArrayText([null, row])],
    );
    expect(read).toEqual({ inside: text, rows: 2 });
  });

  it('keeps numbers, booleans, bigints and nulls unchanged', async () => {
    const [read] = await sql.query(
      'select i.*, cardinality($1::ledger_finish_item[]) as rows from unnest($1::ledger_finish_item[]) i limit 1',
      [compositeArrayText([[null, 7, undefined, true, -(2n ** 63n), 2 ** 52], null])],
    );
    expect(read).toEqual({ r: null, a: 7, k: null, s: true, c: -(2n ** 63n), b: 2n ** 52n, rows: 2 });
  });

  it('has its columns in the order of the database type', async () => {
    expect(await columnsOf('ledger_usage')).toEqual(USAGE_COLUMNS);
    expect(await columnsOf('ledger_detail')).toEqual(DETAIL_COLUMNS);
  });

  it('contains every member of a record and of its detail', async () => {
    const record = aGenerationRecord({
      upstream_cost: '12',
      app: 9,
      images: 2,
      detail: generationDetail({
        nativeFinishReason: 'stop"\\',
        userAgent: 'curl/8 (x, y)',
        serviceTier: 'default',
        attempts: [{ provider: 'open"ai', status: 200, latencyMs: 3 }],
        mediaInputs: 1,
        cacheDiscount: 5n,
        cacheSourceId: newId(),
      }),
    });
    const { detail, ...usage } = record;
    const [read] = await sql.query<{ usage: object; detail: object }>(
      `select row_to_json(($1::ledger_usage[])[1]) as usage, row_to_json(($2::ledger_detail[])[1]) as detail`,
      [compositeArrayText([usageRow(record, 11n)]), compositeArrayText([detailRow(record)])],
    );
    expect(read!.usage).toEqual({ ...usage, upstream_cost: 12 });
    expect(read!.detail).toEqual({ ...detail, cache_discount: 5 });
    expect(usageRow(record, 12n)![0]).toBeNull();
    expect([usageRow(null, 0n), detailRow(null), detailsText([null, aGenerationRecord()])]).toEqual([null, null, null]);
  });
});
