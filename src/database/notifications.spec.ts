import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../test/support/eventually.js';
import { TcpProxy } from '../../test/support/database/tcp-proxy.js';
import { createTestDatabase, type TestDatabase } from '../../test/support/database/test-database.js';
import { Notifications } from './notifications.js';
import { Sql } from './sql.js';

describe('the connection for notifications', () => {
  let database: TestDatabase;
  let sql: Sql;
  let proxy: TcpProxy;
  let notifications: Notifications;
  let heard: string[];
  let gaps: number;

  beforeAll(async () => {
    database = await createTestDatabase();
    sql = new Sql(database.url, 2);
  });
  afterAll(async () => {
    await sql.close();
    await database.drop();
  });
  beforeEach(async () => {
    proxy = await TcpProxy.before(database.url);
    notifications = new Notifications(proxy.through(database.url), true, 200, 200);
    heard = [];
    gaps = 0;
    notifications.on('test_channel', (payload) => heard.push(payload));
    notifications.onGap(() => gaps++);
    await notifications.start();
  });
  afterEach(async () => {
    await notifications.close();
    await proxy.stop();
  });

  const assertDelivered = async (): Promise<void> => {
    const payload = `n${Math.random()}`;
    await eventually(async () => {
      await sql.query('select pg_notify($1, $2)', ['test_channel', payload]);
      await sleep(50);
      expect(heard).toContain(payload);
    }, 20_000);
  };

  it('is closed if the server refuses a channel', async () => {
    const refused = new Notifications(database.url);
    refused.on('not a channel', () => undefined);

    await expect(refused.start()).rejects.toThrow('syntax error');
    await refused.close();
    await eventually(async () => {
      const open = await sql.query(
        `select from pg_stat_activity where application_name = 'gatehouse-listen' and datname = current_database()`,
      );
      expect(open).toHaveLength(1);
    });
  });

  it.each<[how: string, lose: () => Promise<unknown>]>([
    [
      'the server ends the connection',
      () =>
        sql.query(
          `select pg_terminate_backend(pid)
           from pg_stat_activity
           where application_name = 'gatehouse-listen' and datname = current_database()`,
        ),
    ],
    ['the network drops the connection without an error', () => Promise.resolve(proxy.strand())],
    [
      'the network delivers nothing for a while',
      async () => (proxy.blackHole(), await sleep(1_200), await proxy.forward()),
    ],
    [
      'the port of the server is closed for a while',
      async () => (await proxy.refuse(), await sleep(1_200), await proxy.forward()),
    ],
  ])(
    'is opened again, and the gap handlers are called, when %s',
    async (_how, lose) => {
      await assertDelivered();
      await lose();
      await eventually(async () => expect(gaps).toBeGreaterThan(0), 20_000);
      await assertDelivered();
    },
    60_000,
  );
});
