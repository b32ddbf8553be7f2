import { addAccounts } from '../../../../test/support/analytics/sample-accounts.js';
import { sampleCalls, writeCalls } from '../../../../test/support/analytics/usage-sample.js';
import { eventually } from '../../../../test/support/eventually.js';
import { temporaryFolder } from '../../../../test/support/temporary-folder.js';
import { createTestDatabase } from '../../../../test/support/database/test-database.js';
import { Sql } from '../../../database/sql.js';
import { callListPlanOf, type StoredCalls } from '../../call-list.js';
import { Follower } from './follower.js';

describe('Follower', () => {
  it('returns a list as soon as the copy is complete, with a time after the start of the copy', async () => {
    const database = await createTestDatabase();
    const folder = await temporaryFolder();
    const sql = new Sql(database.url, 2);
    const stopping = new AbortController();
    const timeOfDatabase = async (): Promise<number> => {
      const [now] = await sql.query<{ at: number }>('select extract(epoch from now())::float8 * 1000 as at');
      return now!.at;
    };
    const { accounts, calls } = sampleCalls(await addAccounts(sql), 30, 1);
    await writeCalls(sql, calls);
    await sql.query('delete from outbox');
    const plan = callListPlanOf({ limit: 100 }, accounts[0]!.no);
    const before = await timeOfDatabase();

    let first: Promise<StoredCalls> | undefined;
    const options = { databaseUrl: database.url, folder: folder.path, threads: 1, memoryMb: 256, retentionDays: null };
    const follower = new Follower(options, {
      phase: (phase) => {
        if (phase === 'following') first ??= follower.list(plan, stopping.signal);
      },
      log: (message) => console.error(message),
    });
    const running = follower.run(stopping.signal);
    const { rows, asOf } = await eventually(() => first ?? Promise.reject(new Error('not following yet')));
    const after = await timeOfDatabase();
    stopping.abort();
    await running;
    await sql.close();
    await folder.remove();
    await database.drop();

    expect(rows).toHaveLength(calls.filter(({ account }) => account === accounts[0]!.no).length);
    expect(asOf).toBeGreaterThanOrEqual(before);
    expect(asOf).toBeLessThanOrEqual(after);
  }, 60_000);
});
