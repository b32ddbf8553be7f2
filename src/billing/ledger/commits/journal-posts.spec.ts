import { jest } from '@jest/globals';
import { eventually } from '../../../../test/support/eventually.js';
import type { Sql } from '../../../database/sql.js';
import { DatabaseUnavailable } from '../../../kernel/errors/database-unavailable.js';
import { Journal } from './journal.js';
import type { LeasedFinishItem } from './ledger-commits.port.js';

const callOf = (accountNo: number): LeasedFinishItem => ({
  id: `call-${accountNo}`,
  leaseId: `lease-${accountNo}`,
  accountNo,
  keyDay: 'key day',
  unsettledCalls: 0,
  isJournaled: true,
  finish: 'finish',
  usage: 'usage',
  detail: 'NULL',
});

/** A database in which every entry is written. `posts` decides the outcome of each post. */
function databaseOf(posts: (accountNo: number) => Promise<void>): { sql: Sql; posted: unknown[][]; writes: number } {
  const database = { sql: {} as Sql, posted: [] as unknown[][], writes: 0 };
  database.sql = {
    query: async (text: string, params: unknown[]) => {
      if (text.includes('ledger_post_journal')) {
        database.posted.push(params);
        await posts(params[0] as number);
        return [{ lost: 0 }];
      }
      database.writes++;
      return [Object.fromEntries(text.split('ledger_write_journal').map((_, at) => [at, true]))];
    },
  } as never;
  return database;
}

describe('the posts of the journal', () => {
  it('are made in one statement for each account, and receive the number of calls', async () => {
    const sizes: number[] = [];
    const database = databaseOf(() => Promise.resolve());
    const journal = new Journal(database.sql, (calls) => sizes.push(calls));
    await journal.write([callOf(7), callOf(3), callOf(7)]);
    await journal.post();

    expect(database.posted.map(([accountNo]) => accountNo)).toEqual([3, 7]);
    expect(sizes).toEqual([3]);
  });

  it('are made without delay for 500 calls', async () => {
    const database = databaseOf(() => Promise.resolve());
    const journal = new Journal(database.sql);
    await journal.write(Array.from({ length: 499 }, () => callOf(1)));
    expect(database.posted).toHaveLength(0);
    await journal.write([callOf(1)]);
    expect(database.posted).toHaveLength(1);
  });

  it('are repeated for an account after a failure; other accounts do not wait for it', async () => {
    let fails = true;
    const database = databaseOf((accountNo) =>
      fails && accountNo === 2 ? Promise.reject(new DatabaseUnavailable('down')) : Promise.resolve(),
    );
    const journal = new Journal(database.sql);
    await journal.write([callOf(1), callOf(2), callOf(3)]);
    await journal.post();
    expect(database.posted).toEqual([
      [1, 10_000],
      [2, 10_000],
      [3, 10_000],
    ]);
    fails = false;
    await eventually(async () => expect(database.posted.slice(3)).toEqual([[2, 10_000]]));
  });

  it('read older entries if the calls have waited for longer than 5 s', async () => {
    const database = databaseOf(() => Promise.resolve());
    const journal = new Journal(database.sql);
    await journal.write([callOf(1)]);
    const now = performance.now();
    const clock = jest.spyOn(performance, 'now').mockReturnValue(now + 20_000);
    await journal.post();
    clock.mockRestore();

    const [[accountNo, maxAgeMs]] = database.posted as [[number, number]];
    expect(accountNo).toBe(1);
    expect(maxAgeMs).toBeGreaterThanOrEqual(620_000);
  });

  it('are awaited by the next write if 20,000 calls are not posted', async () => {
    const end = Promise.withResolvers<void>();
    const database = databaseOf(() => end.promise);
    const journal = new Journal(database.sql);
    await journal.write(Array.from({ length: 19_999 }, () => callOf(1)));
    await journal.write([callOf(1)]);
    expect(database.writes).toBe(2);
    const writing = journal.write([callOf(1)]);
    await new Promise((next) => setImmediate(next));
    expect(database.writes).toBe(2);
    end.resolve();
    await writing;
    expect(database.writes).toBe(3);
  });
});
