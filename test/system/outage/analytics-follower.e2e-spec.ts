import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Sql } from '../../../src/database/sql.js';
import type { AnalyticsPlan } from '../../../src/usage/analytics-query.js';
import { newId } from '../../../src/kernel/ids.js';
import { FollowerProcess } from '../../../src/usage/drivers/duckdb/follower-process.js';
import { addAccounts } from '../../support/analytics/sample-accounts.js';
import { rowsOf } from '../../support/analytics/rows-of.js';
import { sampleCalls, writeCalls, type SampleCall, type UsageSample } from '../../support/analytics/usage-sample.js';
import { eventually } from '../../support/eventually.js';
import { operate } from '../../support/services/operator-line.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';
import { LONG_TESTS } from '../../support/long-tests.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database.js';

const DAY_MS = 86_400_000;
const ROUNDS = LONG_TESTS ? 50 : 4;
/** The maximum pause before a restart. By default, repeated kills increase the pause to half a minute. */
const MAX_RESTART_MS = 1_000;
const CALLS_A_ROUND = LONG_TESTS ? 5_000 : 3_000;

describe('the follower of usage records', () => {
  let database: TestDatabase;
  let sql: Sql;
  let folder: TemporaryFolder;
  let sample: UsageSample;
  let follower: FollowerProcess;
  let written: SampleCall[];

  const startFollower = (): FollowerProcess => {
    const started = new FollowerProcess(
      {
        databaseUrl: database.url,
        folder: `${folder.path}/${randomUUID()}`,
        threads: 1,
        memoryMb: 256,
        retentionDays: null,
      },
      () => undefined,
      MAX_RESTART_MS,
    );
    started.start();
    return started;
  };
  const write = async (calls: readonly SampleCall[]): Promise<void> => {
    await writeCalls(sql, calls);
    written.push(...calls);
  };
  const fresh = (count: number): SampleCall[] =>
    sampleCalls(sample.accounts, count, Math.floor(Math.random() * 2 ** 31)).calls as SampleCall[];
  const countOf = async (account: number, dimensions: AnalyticsPlan['dimensions'] = []): Promise<number> => {
    const plan: AnalyticsPlan = {
      accountNo: account,
      from: 0,
      to: 9e12,
      granularity: null,
      metrics: ['request_count', 'total_usage'],
      dimensions,
      filters: [],
      order: { by: 'request_count', descending: true },
      groupLimit: null,
      limit: 1_000_000,
    };
    return rowsOf(await follower.read(plan, AbortSignal.timeout(20_000))).reduce(
      (sum, row) => sum + Number(row['request_count']),
      0,
    );
  };
  /** Expects for each account the number of written calls, as a total and as sums over providers and over calls. */
  const expectExact = async (withinMs = 60_000): Promise<void> => {
    for (const { no } of sample.accounts) {
      const expected = written.filter(({ account }) => account === no).length;
      await eventually(async () => expect(await countOf(no)).toBe(expected), withinMs);
      expect(await countOf(no, ['provider'])).toBe(expected);
      expect(await countOf(no, ['generation_id'])).toBe(expected);
    }
  };

  beforeAll(async () => {
    database = await createTestDatabase();
    folder = await temporaryFolder();
    sql = new Sql(database.url, 6);
    sample = sampleCalls(await addAccounts(sql), 0, 1);
    written = [];
    await write(fresh(CALLS_A_ROUND));
    follower = startFollower();
    await eventually(async () => expect(follower.phase).toBe('following'), 60_000);
  }, 120_000);

  afterAll(async () => {
    await follower.stop();
    await sql.close();
    await folder.remove();
    await database.drop();
  });

  it(`loses nothing and counts nothing twice when it is killed during its work, ${ROUNDS} times`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const writing = write(fresh(CALLS_A_ROUND));
      const pid = await eventually(async () => follower.pid ?? Promise.reject(new Error('not running')));
      // At a random time: while it starts, reads, writes or waits.
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 1_500));
      process.kill(pid, 'SIGKILL');
      await writing;
      await eventually(async () => expect(follower.pid).not.toBe(pid));
    }
    await eventually(async () => expect(follower.phase).toBe('following'), 60_000);
    // The follower must still read the calls that were written during the kills.
    await expectExact(300_000);
  }, 1_200_000);

  it('reads a call of a long transaction, although later transactions were read before it', async () => {
    await eventually(async () => expect(follower.phase).toBe('following'), 60_000);
    const late = fresh(50);
    const slow = new Sql(database.url, 1);
    try {
      await slow.transaction(async (session) => {
        await session.query('select pg_current_xact_id()');
        await write(fresh(50));
        await expectExact();
        // The late calls use labels that are already committed, so only their rows wait for the commit.
        await writeCalls({ query: session.query.bind(session) } as unknown as Sql, late);
        await write(fresh(50));
        await expectExact();
      });
    } finally {
      await slow.close();
    }
    written.push(...late);
    await expectExact();
  }, 120_000);

  it('reads records again, from a day before its position, if unread outbox entries were deleted', async () => {
    await follower.stop();
    // These calls have the current time, because the follower reads only records from a day before its position on.
    await write(fresh(200).map((call) => ({ ...call, at: Date.now(), id: newId() })));
    await sql.query(`update usage_feed set trimmed_to = pg_snapshot_xmin(pg_current_snapshot())`);
    await sql.query('delete from outbox');
    follower = new FollowerProcess(follower.options, () => undefined);
    follower.start();
    await eventually(async () => expect(follower.phase).toBe('following'), 60_000);
    await write(fresh(50));
    await expectExact();
  }, 120_000);

  it('rebuilds its store if a rebuild is requested, and if the file of the store is broken', async () => {
    // The deletion below has no outbox entry, so only a rebuilt store does not contain the deleted records.
    await write(fresh(100));
    await expectExact();
    await sql.query('delete from generation where id = any($1)', [written.slice(-10).map(({ id }) => id)]);
    written.splice(-10);
    await sql.query('update usage_feed set epoch = gen_random_uuid()');
    await expectExact();
    await follower.stop();
    await writeFile(`${follower.options.folder}/usage.duckdb`, 'no such database');
    follower = new FollowerProcess(follower.options, () => undefined);
    follower.start();
    await eventually(async () => expect(follower.phase).toBe('following'), 60_000);
    await expectExact();
  }, 120_000);

  it('does not change a store that another process has open', async () => {
    await eventually(async () => expect(follower.phase).toBe('following'), 60_000);
    const said: string[] = [];
    const second = new FollowerProcess(follower.options, (message) => said.push(message));
    second.start();
    await eventually(async () => expect(said.join('\n')).toMatch(/lock/i), 60_000);
    await second.stop();
    await write(fresh(50));
    await expectExact();
  }, 120_000);

  it('rebuilds its store if it now follows another database, into which a backup was restored', async () => {
    await follower.stop();
    const other = await createTestDatabase();
    const file = join(folder.path, 'backup');
    const env = (url: string): Record<string, string> => ({
      DATABASE_URL: url,
      MASTER_KEY: 'a1'.repeat(32),
      DATA_DIR: folder.path,
    });
    expect((await operate(database.url, env(database.url), 'backup', file)).error).toBeUndefined();
    const kept = written.length;
    // These calls are recorded after the backup, so the restored database does not contain them.
    follower = new FollowerProcess(follower.options, () => undefined);
    follower.start();
    await write(fresh(500));
    await expectExact();
    await follower.stop();
    expect((await operate(other.url, env(other.url), 'restore', file)).error).toBeUndefined();
    written.length = kept;
    const old = { database, sql };
    [database, sql] = [other, new Sql(other.url, 6)];
    follower = new FollowerProcess({ ...follower.options, databaseUrl: other.url }, () => undefined);
    follower.start();
    await eventually(async () => expect(follower.phase).toBe('following'), 60_000);
    await expectExact();
    await write(fresh(50));
    await expectExact();
    await old.sql.close();
    await old.database.drop();
  }, 240_000);

  it('deletes the records of all days before the retention period', async () => {
    await expectExact();
    await follower.stop();
    const border = Math.floor(Date.now() / DAY_MS - 20) * DAY_MS;
    const all = written.length;
    // The service does the same by removing old partitions.
    await sql.query('delete from generation where created_at < $1', [new Date(border)]);
    written = written.filter(({ at }) => at >= border);
    expect(written.length).toBeLessThan(all);
    follower = new FollowerProcess({ ...follower.options, retentionDays: 20 }, () => undefined);
    follower.start();
    await eventually(async () => expect(follower.phase).toBe('following'), 60_000);
    await expectExact();
  }, 120_000);
});
