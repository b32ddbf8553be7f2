import { Client } from 'pg';
import { Sql } from '../../../src/database/sql.js';
import { readBooks } from '../../support/money/count-the-money.js';
import { eventually } from '../../support/eventually.js';
import { pgbouncerIsInstalled, startPgbouncer } from '../../support/database/pgbouncer.js';
import { startServiceProcess } from '../../support/services/service-process.js';
import { speakOnce } from '../../support/money/speech-load.js';
import { TcpProxy } from '../../support/database/tcp-proxy.js';
import { createTestDatabase } from '../../support/database/test-database.js';
import { TEST_API_KEY } from '../../support/services/test-service.js';

const CALLS = 7;
/** Longer than the test, so that the sweeper releases nothing. */
const LEASE_MS = 600_000;

const [direct, pooled] = ['PostgreSQL itself', 'pgbouncer in transaction mode'];

describe('calls that were refused during a lock on the row of their account, with lost cancel requests,', () => {
  it.each(pgbouncerIsInstalled() ? [direct, pooled] : [direct])(
    'leave nothing reserved after the lock is released (%s)',
    async (server) => {
      const database = await createTestDatabase();
      const sql = new Sql(database.url, 1);
      const pooler = server === pooled ? await startPgbouncer(database.url, 'transaction') : undefined;
      const proxy = await TcpProxy.before(pooler?.url ?? database.url);
      proxy.loseCancels();
      const service = await startServiceProcess({
        DATABASE_URL: proxy.through(pooler?.url ?? database.url),
        DATABASE_DIRECT_URL: database.url,
        DATABASE_TIMEOUT_MS: '1000',
        RESERVATION_LEASE_MS: String(LEASE_MS),
        MASTER_KEY: 'a1'.repeat(32),
        RATE_LIMIT_ANALYTICS: 'off',
        INTERN_RUNTIME: 'none',
      });
      const locker = new Client({ connectionString: database.url });
      await locker.connect();
      try {
        const statuses = async (): Promise<number[]> =>
          (await Promise.all(Array.from({ length: CALLS }, () => speakOnce(service.origin, TEST_API_KEY, 'held')))).map(
            ({ status }) => status,
          );
        expect(await statuses()).toEqual(Array(CALLS).fill(200));

        await locker.query('begin');
        await locker.query('select from account_balance for update');
        expect(await statuses()).toEqual(Array(CALLS).fill(503));
        await locker.query('rollback');
        await eventually(async () =>
          expect(
            await sql.query(
              `select query
               from pg_stat_activity
               where datname = current_database() and state = 'active' and query like '%ledger_reserve%'
                 and pid <> pg_backend_pid()`,
            ),
          ).toEqual([]),
        );
        // LEASE_MS is longer than this wait, so no reservation expires. The credit lease of an idle key is returned.
        await eventually(async () => {
          const { openReservations, accountReserved, keysReserved } = await readBooks(sql);
          expect({ openReservations, accountReserved, keysReserved }).toEqual({
            openReservations: 0n,
            accountReserved: 0n,
            keysReserved: 0n,
          });
        }, LEASE_MS / 2);

        expect(await statuses()).toEqual(Array(CALLS).fill(200));
      } finally {
        await locker.end();
        service.kill('SIGTERM');
        await service.exited;
        await proxy.stop();
        await pooler?.stop();
        await sql.close();
        await database.drop();
      }
    },
    120_000,
  );
});
