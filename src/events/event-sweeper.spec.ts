import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '../../test/support/database/test-database.js';
import { Sql } from '../database/sql.js';
import { SystemClock } from '../kernel/clock.js';
import { EventSweeper } from './event-sweeper.js';

describe('the sweeper of events', () => {
  let database: TestDatabase;
  let sql: Sql;
  beforeAll(async () => {
    database = await createTestDatabase();
    sql = new Sql(database.url, 2);
  });
  afterAll(async () => {
    await sql.close();
    await database.drop();
  });

  /** Creates an event and its delivery, which are both `days` days old. */
  async function anEvent(name: string, days: number, { type = name, once = false, isDue = false } = {}): Promise<void> {
    await sql.query(
      `with e as (
         insert into event (account_no, type, data, once, created_at)
         values (1, $1, jsonb_build_object('name', $2::text), $3, now() - $4 * interval '1 day')
         returning id, created_at)
       insert into webhook_delivery (webhook_id, event_id, next_at, created_at)
       select $5, id, case when $6 then now() end, created_at from e`,
      [type, name, once ? name : null, days, randomUUID(), isDue],
    );
  }
  const left = async (from: string): Promise<string[]> =>
    (await sql.query<{ name: string }>(`select data ->> 'name' as name from ${from} order by 1`)).map(
      ({ name }) => name,
    );

  it('keeps events 30 days, events of windows 62 days, and delivered batches of records 4 days', async () => {
    await anEvent('young', 29);
    await anEvent('old', 31);
    await anEvent('of a window', 31, { once: true });
    await anEvent('of an old window', 63, { once: true });
    const batch = { type: 'generation.completed' };
    await anEvent('young batch', 3, batch);
    await anEvent('old batch', 5, batch);
    await anEvent('old batch that is due', 5, { ...batch, isDue: true });
    await new EventSweeper(sql, new SystemClock()).remove();

    expect(await left('event')).toEqual(['of a window', 'old batch that is due', 'young', 'young batch']);
    expect(await left('webhook_delivery d join event e on e.id = d.event_id')).toEqual([
      'old batch that is due',
      'young',
      'young batch',
    ]);
    expect(await sql.query('select 1 from webhook_delivery')).toHaveLength(3);
  });

  it('removes the texts of calls from events without a due delivery, and only from these events', async () => {
    await sql.query('truncate event, webhook_delivery');
    await anEvent('delivered', 0);
    await anEvent('due', 0, { isDue: true });
    await sql.query('update event set holds_content = true');
    await anEvent('without content', 0);
    await new EventSweeper(sql, new SystemClock()).remove();

    const rows = await sql.query<{ name: string | null; held: boolean }>(
      `select data ->> 'name' as name, holds_content as held from event order by 1`,
    );
    expect(rows).toEqual([
      { name: 'due', held: true },
      { name: 'without content', held: false },
      { name: null, held: false },
    ]);
  });
});
