import { Sql } from '../../src/database/sql.js';
import { FollowerProcess } from '../../src/usage/drivers/duckdb/follower-process.js';
import { eventually } from '../support/eventually.js';
import { addAccounts } from '../support/analytics/sample-accounts.js';
import { rowsOf } from '../support/analytics/rows-of.js';
import { sampleCalls, writeAlike, writeCalls, type UsageSample } from '../support/analytics/usage-sample.js';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.js';
import { LONG_TESTS } from '../support/long-tests.js';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';
import { MANY_CALLS, usageReaderContract } from './usage-reader.contract.js';

const CALLS = LONG_TESTS ? 200_000 : 10_000;

describe('the DuckDB store', () => {
  let database: TestDatabase;
  let sql: Sql;
  let folder: TemporaryFolder;
  let sample: UsageSample;
  let follower: FollowerProcess;

  beforeAll(async () => {
    database = await createTestDatabase();
    folder = await temporaryFolder();
    sql = new Sql(database.url, 3);
    sample = sampleCalls(await addAccounts(sql), CALLS, 7);
    // Half of the calls are copied from the records, half come through the outbox.
    await writeCalls(sql, sample.calls.slice(0, CALLS / 2));
    await writeAlike(sql, sample.accounts[2]!, sample.calls[0]!, MANY_CALLS);
    await sql.query('delete from outbox');
    follower = new FollowerProcess(
      { databaseUrl: database.url, folder: folder.path, threads: 2, memoryMb: 512, retentionDays: null },
      (message) => console.error(message),
    );
    follower.start();
    await eventually(async () => expect(follower.phase).toBe('following'), 60_000);
    await writeCalls(sql, sample.calls.slice(CALLS / 2));
    const all = {
      accountNo: sample.accounts[0]!.no,
      from: 0,
      to: 9e12,
      granularity: null,
      metrics: ['request_count' as const],
      dimensions: [],
      filters: [],
      order: { by: 'request_count' as const, descending: true },
      groupLimit: null,
      limit: 1,
    };
    const expected = sample.calls.filter(({ account }) => account === sample.accounts[0]!.no).length;
    await eventually(
      async () =>
        expect(rowsOf(await follower.read(all, new AbortController().signal))).toEqual([{ request_count: expected }]),
      120_000,
    );
  }, 600_000);

  afterAll(async () => {
    await follower.stop();
    await sql.close();
    await folder.remove();
    await database.drop();
  });

  usageReaderContract(() => ({ reader: follower, sample }), { queries: LONG_TESTS ? 5_000 : 250, seed: 2 });
});
