import type pg from 'pg';
import { LISTENER_NAME } from './notifications.js';
import { openSingleConnection } from './single-connection.js';
import type { SqlSession } from './sql.js';
import { beginWithMigrationLock } from './starting/migration-lock.js';

const NAME = 'gatehouse-start';
const TIMEOUT_MS = 5_000;

/**
 * A connection that a starting service holds until it listens for notifications, so that other services can see it.
 * PostgreSQL closes the session as soon as the process ends, whereas the row of a heartbeat would remain for a time.
 */
export class StartConnection {
  private constructor(private readonly client: pg.Client) {}

  /** `directUrl` bypasses a pooler. */
  static async open(directUrl: string): Promise<StartConnection> {
    return new StartConnection(await openSingleConnection(directUrl, NAME, TIMEOUT_MS));
  }

  /** Runs the work in a transaction that holds the migration lock. */
  async exclusively<T>(work: (session: SqlSession) => Promise<T>, log: (line: string) => void): Promise<T> {
    await beginWithMigrationLock(this.client, log);
    try {
      const result = await work({
        query: async <Row extends object>(text: string, params: readonly unknown[] = []) =>
          (await this.client.query<Row>(text, params as unknown[])).rows,
      });
      await this.client.query('commit');
      return result;
    } catch (error) {
      await this.client.query('rollback').catch(() => undefined);
      throw error;
    }
  }

  /** Whether another service runs or starts on this database. */
  async hasOthers(): Promise<boolean> {
    const { rowCount } = await this.client.query(
      `select from pg_stat_activity
       where datname = current_database() and application_name in ($1, $2) and pid <> pg_backend_pid() limit 1`,
      [NAME, LISTENER_NAME],
    );
    return rowCount! > 0;
  }

  async close(): Promise<void> {
    await this.client.end().catch(() => undefined);
  }
}
