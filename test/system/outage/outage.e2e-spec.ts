import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { FollowerProcess } from '../../../src/usage/drivers/duckdb/follower-process.js';
import { ACCESS_MATRIX, type Column } from '../../support/api/access-matrix.data.js';
import { MatrixThings, type Prepared } from '../../support/api/access-matrix-things.js';
import { BusyWatch } from '../../support/services/busy-watch.js';
import { eventually } from '../../support/eventually.js';
import { routesOf, type OpenApiDocument } from '../../support/api/openapi-document.js';
import { startOwnPostgres, type OwnPostgres } from '../../support/database/own-postgres.js';
import { startServiceProcess } from '../../support/services/service-process.js';
import { TcpProxy } from '../../support/database/tcp-proxy.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';
import { expected, type Seen } from '../../support/money/outage-answers.js';

/** The service's timeout for the database. The limit of 3 s allows for a busy machine. */
const DATABASE_TIMEOUT_MS = 1_000;
const WITHIN_MS = 3_000;
const READY_WITHIN_MS = 2_000;

interface Case {
  readonly route: string;
  readonly column: Column;
  readonly other: 'standard' | 'management';
  readonly prepared: Prepared;
}

describe('while the database is unavailable', () => {
  let postgres: OwnPostgres;
  let proxy: TcpProxy;
  let service: TestService;
  let things: MatrixThings;
  let cases: Case[];
  let admin: Client;

  beforeAll(async () => {
    postgres = await startOwnPostgres({ settings: { max_connections: '60' } });
    proxy = await TcpProxy.before(postgres.url);
    const env = {
      INTERN_RUNTIME: 'none',
      RATE_LIMIT_FAILED_KEYS: 'off',
      RATE_LIMIT_ANALYTICS: 'off',
      RATE_LIMIT_BENCHMARKS: 'off',
      RATE_LIMIT_COUNTING: 'off',
      DATABASE_TIMEOUT_MS: String(DATABASE_TIMEOUT_MS),
      LOG_LEVEL: 'silent',
    };
    service = await startTestService({ env, databaseUrl: proxy.through(postgres.url) });
    admin = new Client({ connectionString: postgres.url, application_name: 'test' });
    admin.on('error', () => undefined);
    await admin.connect();
    things = new MatrixThings(service);
    await things.prepare();
    await service.management.post('/analytics/query', { json: { metrics: ['request_count'] } });
    await eventually(
      async () => expect(service.app.get(FollowerProcess, { strict: false }).phase).toBe('following'),
      60_000,
    );
  }, 120_000);

  afterAll(async () => {
    await admin?.end();
    await service?.stop();
    await proxy?.stop();
    await postgres?.stop();
  }, 60_000);

  /** Prepares an allowed request for every route, and reads the keys into the service's cache. Returns the time. */
  async function prepare(): Promise<number> {
    cases = [];
    const document = (await (await fetch(`${service.origin}/api/v1/openapi.json`)).json()) as OpenApiDocument;
    const documented = new Set(
      routesOf(document).map(
        ({ method, path }) =>
          `${method.toUpperCase()} ${path.replace(/^\/api\/v1/, '').replaceAll(/\{[^}]*\}/g, '{}')}`,
      ),
    );
    for (const [route, statuses, other] of ACCESS_MATRIX) {
      const column = (['standard', 'management'] as const).find((_, index) => statuses[5 + index]! < 300);
      if (column === undefined || !documented.has(route) || route.includes(' /console/')) continue;
      cases.push({ route, column, other, prepared: await things.requestFor(route) });
    }
    const byKey = {
      metrics: ['request_count'],
      filters: [{ field: 'api_key_id', operator: 'eq', value: 'a'.repeat(64) }],
    };
    cases.push({
      route: 'POST /analytics/query of a key',
      column: 'management',
      other: 'management',
      prepared: { path: '/analytics/query', request: { json: byKey } },
    });
    await Promise.all(
      ['standard', 'management'].map((of) => service.as(things.keyFor(of as Column, 'standard')!).get('/models')),
    );
    expect(cases.length).toBeGreaterThan(50);
    return performance.now();
  }

  async function ask({ route, column, other, prepared: { path, request } }: Case): Promise<Seen> {
    const unique = `u${randomBytes(4).toString('hex')}`;
    const json =
      route === 'POST /end-users'
        ? { user: unique }
        : route === 'POST /workspaces'
          ? { name: unique, slug: unique }
          : request?.json;
    const since = performance.now();
    const answer = await fetch(`${service.origin}/api/v1${path}`, {
      method: route.split(' ')[0],
      headers: {
        authorization: `Bearer ${things.keyFor(column, other)}`,
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: json === undefined ? request?.body : JSON.stringify(json),
    });
    const body = (await answer.json().catch(() => undefined)) as { error?: { metadata?: unknown } } | undefined;
    return {
      route,
      status: answer.status,
      retryAfter: answer.headers.get('retry-after'),
      metadata: body?.error?.metadata,
      ms: performance.now() - since,
    };
  }

  /** `isReady`: the database serves other clients, so the service is ready whenever a connection is free. */
  async function expectOutage(isReady: boolean): Promise<void> {
    const busy = new BusyWatch(service.origin);
    const [seen, ready, alive, document, docs] = await Promise.all([
      Promise.all(cases.map(ask)),
      timed(`${service.origin}/readyz`),
      timed(`${service.origin}/healthz`),
      timed(`${service.origin}/api/v1/openapi.json`),
      timed(`${service.origin}/docs`),
    ]);
    const busyMs = await busy.stop();
    expect(
      seen.map(({ route, status, retryAfter, metadata }) => ({
        route,
        status,
        ...(retryAfter === null ? {} : { retryAfter }),
        ...(metadata === undefined ? {} : { metadata }),
      })),
    ).toMatchObject(cases.map(({ route }) => expected(route)));
    expect(seen.filter(({ ms }) => ms - busyMs > WITHIN_MS)).toEqual([]);
    expect([alive.status, document.status, docs.status]).toEqual([200, 200, 200]);
    if (!isReady) expect([ready.status, ready.text]).toEqual([503, expect.stringContaining('database')]);
    expect(ready.ms - busyMs).toBeLessThan(READY_WITHIN_MS);
    const slowest = seen.reduce((a, b) => (b.ms > a.ms ? b : a));
    process.stdout.write(
      `slowest of ${seen.length} routes: ${slowest.route} ${slowest.ms.toFixed(0)} ms, /readyz ` +
        `${ready.ms.toFixed(0)} ms, /healthz at most ${busyMs.toFixed(0)} ms\n`,
    );
  }

  async function timed(url: string): Promise<{ status: number; text: string; ms: number }> {
    const since = performance.now();
    const answer = await fetch(url);
    return { status: answer.status, text: await answer.text(), ms: performance.now() - since };
  }

  /** Expects that the same requests succeed again. Sends ten at a time, because all would be slow on a busy machine. */
  async function expectRecovery(): Promise<void> {
    await eventually(async () => expect((await fetch(`${service.origin}/readyz`)).status).toBe(200), 30_000);
    for (let at = 0; at < cases.length; at += 10)
      await eventually(async () => {
        const seen = await Promise.all(cases.slice(at, at + 10).map(ask));
        expect(seen.filter(({ status }) => status >= 500)).toEqual([]);
      }, 30_000);
  }

  it('a service exits within 25 s if it is stopped while the database hangs', async () => {
    const hanging = await TcpProxy.before(postgres.url);
    const other = await startServiceProcess({
      DATABASE_URL: hanging.through(postgres.url),
      MASTER_KEY: 'a1'.repeat(32),
      INTERN_RUNTIME: 'none',
    });
    hanging.blackHole();
    const since = performance.now();
    other.kill('SIGTERM');
    expect(await other.exited).toBe(0);
    expect(performance.now() - since).toBeLessThan(25_000);
    await hanging.stop();
  }, 90_000);

  const holdAllTables = async (): Promise<void> => {
    const { rows } = await admin.query<{ name: string }>(
      `select c.oid::regclass::text as name
       from pg_class c
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`,
    );
    await admin.query(`begin; lock table ${rows.map(({ name }) => name).join(', ')} in access exclusive mode`);
  };
  const others: Client[] = [];
  const takeAllConnections = async (): Promise<void> => {
    for (;;) {
      const client = new Client({ connectionString: postgres.url, application_name: 'test' });
      client.on('error', () => undefined);
      try {
        await client.connect();
        others.push(client);
      } catch {
        // The service holds the last connections. Terminate them, so that it cannot reconnect.
        const { rowCount } = await admin.query(
          `select pg_terminate_backend(pid)
           from pg_stat_activity
           where application_name like 'gatehouse%' or (datname = current_database() and application_name <> 'test')`,
        );
        if (!rowCount) return;
        await sleep(50);
      }
    }
  };

  it.each<[what: string, begin: () => Promise<void> | void, end: () => Promise<void> | void, isReady?: boolean]>([
    ['refusing connections', () => proxy.refuse(), () => proxy.forward()],
    ['unreachable without an error', () => proxy.blackHole(), () => proxy.forward()],
    ['frozen', () => postgres.freeze(), () => postgres.thaw()],
    [
      'without a free connection',
      takeAllConnections,
      async () => void (await Promise.all(others.splice(0).map((client) => client.end()))),
    ],
    [
      'locked by another session, so that the connections of the service are used up',
      holdAllTables,
      async () => void (await admin.query('rollback')),
      true,
    ],
  ])(
    'every route returns its documented response in time when the database is %s',
    async (_what, begin, end, isReady = false) => {
      const keysReadAt = await prepare();
      await begin();
      try {
        // Keys are served from the cache for 4 s, and then their entries expire.
        await expectOutage(isReady);
        await sleep(Math.max(0, keysReadAt + 4_500 - performance.now()));
        await expectOutage(isReady);
      } finally {
        await end();
      }
      await expectRecovery();
    },
    180_000,
  );
});
