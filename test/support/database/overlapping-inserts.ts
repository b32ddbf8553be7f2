import type { Sql } from '../../../src/database/sql.js';
import { eventually } from '../eventually.js';

/**
 * Starts requests that insert into a table. No insert begins before all requests wait for a lock, so that their
 * transactions overlap. Returns the answers.
 */
export async function overlapping<T>(
  sql: Sql,
  table: string,
  requests: readonly (() => Promise<T>)[],
): Promise<readonly T[]> {
  const answers = await sql.transaction(async (session) => {
    // Readers do not wait for this lock, but inserts do.
    await session.query(`lock table ${table} in share mode`);
    const started = requests.map((request) => request());
    await eventually(async () => {
      const waiting = await sql.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      expect(waiting).toHaveLength(requests.length);
    });
    return started;
  });
  return Promise.all(answers);
}
