import type pg from 'pg';
import { beginWithMigrationLock } from './migration-lock.js';

/** A clock that only `sleep` advances. */
const clock = (): { now(): number; sleep(ms: number): Promise<void> } => {
  let ms = 0;
  return { now: () => ms, sleep: (more) => Promise.resolve(void (ms += more)) };
};

/** A database that refuses the lock `refusals` times and then grants the lock. */
function database(refusals: number): Pick<pg.Client, 'query'> {
  let attempts = 0;
  const query = (text: string): Promise<object> => {
    if (text.includes('pg_try_advisory_xact_lock'))
      return Promise.resolve({ rows: [{ taken: attempts++ >= refusals }] });
    return Promise.resolve({ rows: [{ pid: 7, application: 'gatehouse-migrate', state: 'active', seconds: 1 }] });
  };
  return { query } as never;
}

describe('the wait for the migration lock', () => {
  it('is logged after 2 s and then every 5 s', async () => {
    const lines: string[] = [];
    // An attempt every 250 ms.
    await beginWithMigrationLock(database(4 * 18), (line) => lines.push(line), clock());
    expect(lines).toEqual(
      [2, 7, 12, 17].map(
        (seconds) =>
          `Waiting for the database's migration lock for ${seconds} s: backend 7 (gatehouse-migrate) holds it; ` +
          'another replica is migrating.',
      ),
    );
  });

  it('is not logged if the lock is free', async () => {
    const lines: string[] = [];
    await beginWithMigrationLock(database(0), (line) => lines.push(line), clock());
    expect(lines).toEqual([]);
  });
});
