import { createTestDatabase, type TestDatabase } from '../../test/support/database/test-database.js';
import { recordCalls } from '../../test/support/calls/recorded-calls.js';
import { eventually } from '../../test/support/eventually.js';
import { Sql } from '../database/sql.js';
import { newId } from '../kernel/ids.js';
import { GenerationContents, removeOldContents } from './generation-contents.js';
import { GenerationExport } from './export/generation-export.js';

const ACCOUNT = 7;
const KILOBYTES = 150;

describe('the contents of calls', () => {
  let database: TestDatabase;
  let sql: Sql;
  let contents: GenerationContents;
  beforeEach(async () => {
    database = await createTestDatabase();
    sql = new Sql(database.url, 4);
    contents = new GenerationContents(sql);
  });
  afterEach(async () => {
    await sql.close();
    await database.drop();
  });

  const aWebhook = (events: readonly string[], { account = ACCOUNT, disabled = false } = {}) =>
    sql.query(
      `insert into webhook (id, account_id, account_no, url, format, events, data_key_id, sealed,
         disabled_at, created_at)
       values ($1, $1, $2, 'https://a.example', 'standard', $3, $1, '', case when $4 then now() end, now())`,
      [newId(), account, events, disabled],
    );
  const kept = async (): Promise<number> => (await sql.query('select from generation_content')).length;
  const aCall = (id: string): Promise<void> => recordCalls(sql, [{ id, account_no: ACCOUNT }]);
  /** Runs the export until it has read all visible entries. */
  const exported = async (): Promise<void> => {
    const exporting = new GenerationExport(sql, { bySlug: () => ({}) });
    while (await exporting.step());
  };
  const events = () =>
    sql.query<{ ids: string[]; bytes: number; held: boolean; contents: number }>(
      `select array(select g ->> 'id' from jsonb_array_elements(e.data -> 'generations') g) as ids,
         octet_length(data::text) as bytes, holds_content as held,
         (select count(*)::int from jsonb_array_elements(e.data -> 'generations') g
           where g ? 'input_messages') as contents
       from event e where type = 'generation.completed'`,
    );

  it('are stored only while a webhook of the account subscribes to records', async () => {
    await aWebhook(['key.created']);
    await aWebhook(['generation.completed'], { disabled: true });
    await aWebhook(['generation.completed'], { account: ACCOUNT + 1 });
    await contents.keep(ACCOUNT, newId(), {});
    expect(await kept()).toBe(0);
    await aWebhook(['key.created', 'generation.completed']);
    await contents.keep(ACCOUNT, newId(), {});
    expect(await kept()).toBe(1);
  });

  it('are removed after three days, or when no webhook subscribes to records', async () => {
    await aWebhook(['generation.completed']);
    for (let call = 0; call < 2; call++) await contents.keep(ACCOUNT, newId(), {});
    await sql.query(
      `update generation_content set created_at = now() - interval '72 hours 1 second'
       where generation_id = (select generation_id from generation_content limit 1)`,
    );
    await removeOldContents(sql);
    expect(await kept()).toBe(1);
    await sql.query('delete from webhook');
    await exported();
    expect(await kept()).toBe(0);
  });

  it('move into events of less than a megabyte, each with its record and in the order of the calls', async () => {
    await aWebhook(['generation.completed']);
    await exported();
    const ids = Array.from({ length: 30 }, (_, index) => newId(1_790_000_000_000 + index));
    for (const [index, id] of ids.entries()) {
      // Every third call has no content.
      const input_messages = 'a'.repeat(KILOBYTES * 1_000);
      if (index % 3 !== 0) await contents.keep(ACCOUNT, id, { input_messages });
      await aCall(id);
    }
    await eventually(async () => {
      await exported();
      expect((await events()).flatMap((event) => event.ids)).toHaveLength(ids.length);
    });
    const written = await events();
    expect(written.flatMap((event) => event.ids).toSorted()).toEqual(ids.map((id) => `gen-${id}`).toSorted());
    for (const event of written) expect(event.ids).toEqual(event.ids.toSorted());
    expect(written.reduce((sum, event) => sum + event.contents, 0)).toBe(20);
    expect(Math.max(...written.map(({ bytes }) => bytes))).toBeLessThan(700_000);
    expect(written.filter((event) => event.held !== event.contents > 0)).toEqual([]);
    expect(await kept()).toBe(0);
  });
});
