import { Sql } from '../../src/database/sql.js';
import { ClickHouseFeed } from '../../src/usage/drivers/clickhouse/clickhouse-feed.js';
import { ClickHouseUsageReader } from '../../src/usage/drivers/clickhouse/clickhouse-usage-reader.driver.js';
import {
  clickHouseAddress,
  HttpClickHouseConnection,
} from '../../src/usage/drivers/clickhouse/http-clickhouse-connection.js';
import { PostgresUsageReader } from '../../src/usage/drivers/postgres/postgres-usage-reader.driver.js';
import { addAccounts } from '../support/analytics/sample-accounts.js';
import { expectCallsFed } from '../support/analytics/calls-fed.js';
import { sampleCalls, writeAlike, writeCalls, type UsageSample } from '../support/analytics/usage-sample.js';
import { LONG_TESTS } from '../support/long-tests.js';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';
import { startTestClickHouse, type TestClickHouse } from '../support/engines/chdb.js';
import { MANY_CALLS, usageReaderContract } from './usage-reader.contract.js';

const CALLS = LONG_TESTS ? 200_000 : 10_000;

describe('ClickHouse', () => {
  const stopping = new AbortController();
  let database: TestDatabase;
  let server: TestClickHouse;
  let sql: Sql;
  let connection: HttpClickHouseConnection;
  let sample: UsageSample;
  let feeding: Promise<void>;

  beforeAll(async () => {
    [database, server] = await Promise.all([createTestDatabase(), startTestClickHouse()]);
    sql = new Sql(database.url, 3);
    connection = new HttpClickHouseConnection(clickHouseAddress(server.url));
    sample = sampleCalls(await addAccounts(sql), CALLS, 7);
    // Half of the calls are copied from the records, half come through the outbox.
    await writeCalls(sql, sample.calls.slice(0, CALLS / 2));
    await writeAlike(sql, sample.accounts[2]!, sample.calls[0]!, MANY_CALLS);
    await sql.query('delete from outbox');
    feeding = new ClickHouseFeed(
      new HttpClickHouseConnection(clickHouseAddress(server.url)),
      { databaseUrl: database.url, database: 'default', cluster: undefined, retentionDays: null },
      (message) => console.error(message),
    ).run(stopping.signal);
    await expectCallsFed(sql, connection);
    await writeCalls(sql, sample.calls.slice(CALLS / 2));
    await expectCallsFed(sql, connection);
  }, 600_000);

  afterAll(async () => {
    stopping.abort();
    await feeding;
    await connection.close();
    await server.stop();
    await sql.close();
    await database.drop();
  });

  usageReaderContract(
    () => ({
      reader: new ClickHouseUsageReader(connection, sql, new PostgresUsageReader(sql), {
        timeoutMs: 60_000,
        memoryMb: 2_048,
      }),
      sample,
    }),
    { queries: LONG_TESTS ? 5_000 : 60, seed: 2, lists: LONG_TESTS ? 30 : 6 },
  );
});
