import { Sql } from '../../src/database/sql.js';
import { PostgresUsageReader } from '../../src/usage/drivers/postgres/postgres-usage-reader.driver.js';
import { addAccounts } from '../support/analytics/sample-accounts.js';
import { sampleCalls, writeAlike, writeCalls, type UsageSample } from '../support/analytics/usage-sample.js';
import { LONG_TESTS } from '../support/long-tests.js';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';
import { MANY_CALLS, usageReaderContract } from './usage-reader.contract.js';

const CALLS = LONG_TESTS ? 200_000 : 10_000;

describe('PostgresUsageReader', () => {
  let database: TestDatabase;
  let sql: Sql;
  let sample: UsageSample;

  beforeAll(async () => {
    database = await createTestDatabase();
    sql = new Sql(database.url, 3);
    sample = sampleCalls(await addAccounts(sql), CALLS, 7);
    await writeCalls(sql, sample.calls);
    await writeAlike(sql, sample.accounts[2]!, sample.calls[0]!, MANY_CALLS);
    await sql.query('analyze');
  }, 600_000);

  afterAll(async () => {
    await sql.close();
    await database.drop();
  });

  usageReaderContract(() => ({ reader: new PostgresUsageReader(sql), sample }), {
    queries: LONG_TESTS ? 5_000 : 250,
    seed: 1,
  });
});
