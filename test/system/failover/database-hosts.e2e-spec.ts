import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { AuditTrail } from '../../../src/audit/audit-trail.js';
import type { Config } from '../../../src/config/config.js';
import { ProcessRole } from '../../../src/config/process-role.js';
import { DatabaseHosts } from '../../../src/database/connections/database-hosts.js';
import { migrate, prepareSchema } from '../../../src/database/migrate.js';
import { Sql } from '../../../src/database/sql.js';
import { DurabilityWatch } from '../../../src/database/starting/durability-watch.js';
import { SystemClock } from '../../../src/kernel/clock.js';
import { readBackup } from '../../../src/operator/backup/backup-reader.js';
import { takeBackup } from '../../../src/operator/backup/take-backup.js';
import type { MetricFamily, Sample } from '../../../src/telemetry/metric-family.js';
import type { Metrics } from '../../../src/telemetry/metrics.js';
import { ReplicatedPostgres, type PostgresNode } from '../../support/database/replicated-postgres.js';
import { eventually } from '../../support/eventually.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

describe('an address with several hosts', () => {
  let postgres: ReplicatedPostgres;
  let first: PostgresNode;
  let second: PostgresNode;
  let third: PostgresNode;

  beforeAll(async () => {
    postgres = await ReplicatedPostgres.start({ nodes: 3 });
    [first, second, third] = postgres.nodes as [PostgresNode, PostgresNode, PostgresNode];
  }, 120_000);
  afterAll(() => postgres?.stop(), 60_000);

  const portOf = async (url: string): Promise<number> => {
    const sql = new Sql(url, 1, { timeoutMs: 5_000 });
    try {
      const [row] = await sql.query<{ port: number }>(`select current_setting('port')::int as port`);
      return row!.port;
    } finally {
      await sql.close();
    }
  };
  const failureOf = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'no failure',
      ({ message }: Error) => message,
    );

  it('connects to the server that accepts writes, at any position in the list', async () => {
    expect(await portOf(postgres.urlOf([third, second, first]))).toBe(first.port);
    expect(await portOf(postgres.urlOf([second, first], '?target_session_attrs=primary'))).toBe(first.port);
  });

  it('connects to a standby, or to the first server that responds, if target_session_attrs says so', async () => {
    expect(await portOf(postgres.urlOf([first, third], '?target_session_attrs=standby'))).toBe(third.port);
    expect(await portOf(postgres.urlOf([second, first], '?target_session_attrs=any'))).toBe(second.port);
  });

  it('is refused without a suitable host, with the response of each host and without the password', async () => {
    const closed = { port: 1 } as PostgresNode;
    const failure = await failureOf(migrate(postgres.urlOf([second, closed, third]), []));
    expect(failure).toBe(
      'the database of DATABASE_URL cannot be used (no host of the database is read-write: ' +
        `127.0.0.1:${second.port} is a standby; 127.0.0.1:1 does not accept connections (ECONNREFUSED); ` +
        `127.0.0.1:${third.port} is a standby)`,
    );
  });

  it('is refused within the timeout if a host hangs and no other host is suitable', async () => {
    await third.freeze();
    try {
      expect(await failureOf(DatabaseHosts.of(postgres.urlOf([third, second]))!.choose())).toBe(
        `no host of the database is read-write: 127.0.0.1:${third.port} does not respond within 2 s; ` +
          `127.0.0.1:${second.port} is a standby`,
      );
    } finally {
      await third.thaw();
    }
  });

  it('closes a connection after a read-only error, and tries the hosts again', async () => {
    const sql = new Sql(postgres.urlOf([first, second]), 1, { timeoutMs: 5_000 });
    try {
      const pid = async (): Promise<number> =>
        (await sql.query<{ pid: number }>('select pg_backend_pid() as pid'))[0]!.pid;
      const before = await pid();
      await first.configure('default_transaction_read_only', 'on');
      await eventually(async () =>
        expect(await failureOf(sql.query('create table refused (n int)'))).toContain('read-only transaction'),
      );
      expect(await failureOf(sql.query('select 1'))).toContain(`127.0.0.1:${first.port} is read-only`);
      await first.configure('default_transaction_read_only', 'off');
      await eventually(async () => expect(await pid()).not.toBe(before));
    } finally {
      await sql.close();
    }
  });

  it('starts a service with DURABILITY=replica only if a synchronous standby is connected', async () => {
    const start = (): Promise<string> =>
      failureOf(prepareSchema('off', postgres.url, [], () => undefined, 'DATABASE_URL', 'replica'));
    let families = (): MetricFamily[] => [];
    const sql = new Sql(postgres.url, 1);
    const config = { values: { DURABILITY: 'replica' } } as Config;
    const metrics = { add: (_: string, collect: typeof families) => (families = collect) } as unknown as Metrics;
    const watch = new DurabilityWatch(config, new ProcessRole(), sql, metrics);
    const durable = async (): Promise<unknown> => {
      await watch.check();
      return families().map(({ samples }) => [...(samples as Iterable<Sample>)].map(({ value }) => value));
    };
    try {
      expect([await start(), await durable()]).toEqual(['no failure', [[1]]]);
      await first.configure('synchronous_standby_names', 'ANY 1 (nobody)');
      expect([await start(), await durable()]).toEqual([
        'DURABILITY is replica, and no standby of synchronous_standby_names (ANY 1 (nobody)) is connected: start ' +
          'one, or set DURABILITY=local.',
        [[0]],
      ]);
      await first.configure('synchronous_standby_names', '');
      expect(await start()).toMatch(/^DURABILITY is replica, and PostgreSQL has no synchronous standby: set /);
      await first.configure('synchronous_standby_names', 'ANY 1 (*)');
      await first.configure('synchronous_commit', 'local');
      expect(await start()).toMatch(/^DURABILITY is replica, and synchronous_commit is local: run /);
    } finally {
      await first.configure('synchronous_standby_names', 'ANY 1 (*)');
      await first.configure('synchronous_commit', 'on');
      await sql.close();
    }
  });

  it('allows a backup from a standby, including rows that were just written', async () => {
    const folder = await temporaryFolder();
    const sql = new Sql(postgres.url, 1);
    try {
      const file = join(folder.path, 'backup');
      const { id } = await takeBackup({
        databaseUrl: postgres.urlOf([first, second], '?target_session_attrs=standby'),
        file,
        force: false,
        audit: new AuditTrail(sql, new SystemClock()),
        position: async () =>
          (await sql.query<{ position: string }>('select pg_current_wal_flush_lsn()::text as position'))[0]!.position,
        log: () => undefined,
      });
      expect((await readBackup(file)).header.id).toBe(id);
      // The id of the backup occurs twice: in the header and in the row of the audit.
      expect(
        gunzipSync(await readFile(file))
          .toString()
          .split(id),
      ).toHaveLength(3);
    } finally {
      await sql.close();
      await folder.remove();
    }
  });
});
