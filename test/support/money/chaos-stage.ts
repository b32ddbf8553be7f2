import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Sql } from '../../../src/database/sql.js';
import { expectBudgetsCounted, insertWideBudgets } from './budget-rows.js';
import { expectSettled, expectWholeAnswersBilledOnce } from './count-the-money.js';
import { eventually } from '../eventually.js';
import { LONG_TESTS } from '../long-tests.js';
import { mountTmpfs, unmount } from '../database/mounts.js';
import { startOwnPostgres, type OwnPostgres } from '../database/own-postgres.js';
import { isAlive } from '../services/child-processes.js';
import { ReadinessWatch } from '../services/readiness-watch.js';
import { startTestRedis, type TestRedis } from '../engines/redis-server.js';
import { TestS3Server } from '../engines/s3-server.js';
import { startServiceProcess, type ServiceProcess } from '../services/service-process.js';
import { SkewedClocks } from '../services/skewed-clocks.js';
import { SlowCallers } from '../hostile/slow-callers.js';
import { SpeechLoad, type SeenCall } from './speech-load.js';
import { TcpProxy } from '../database/tcp-proxy.js';
import { temporaryFolder, type TemporaryFolder } from '../temporary-folder.js';
import { TEST_API_KEY, TEST_MANAGEMENT_KEY } from '../services/test-service.js';

const CALLERS = 8;
const SLOW_CALLERS = 2;
/** Reservations that a fault leaves open end after this time. */
const LEASE_MS = LONG_TESTS ? 5_000 : 2_000;
/** The maximum wait for automatic recovery. A test exceeds it only if it would hang. */
const HEALED_WITHIN_MS = 60_000;
/** /readyz must respond within 2 s; the remaining time allows for a busy machine. */
const READY_ANSWER_MS = 3_500;

/** The service notices a fault of a folder within this time, because it checks folders once per second. */
const NOTICED_AFTER_MS = 1_500;

export interface ChaosOptions {
  readonly redis?: boolean;
  /** Size of a file system for the database and for the data folders, such as `400m`. Requires root. */
  readonly disk?: string;
  /** The WORKERS of each service. Default: 1. */
  readonly workers?: number;
}

/** A fault of the installation under load, and the expected responses of /readyz. */
export interface Fault {
  readonly begin: () => Promise<unknown> | void;
  readonly holdMs: number;
  readonly end?: () => Promise<unknown> | void;
  readonly ready: 'always' | 'never' | 'either';
  /** Speech does not depend on the faulty part: every call gets a complete response. */
  readonly isHarmless?: boolean;
}

/** Two services of one installation. The database, S3 and Redis are behind proxies of the test. */
export class ChaosStage {
  private constructor(
    private readonly folder: TemporaryFolder,
    readonly postgres: OwnPostgres,
    readonly database: TcpProxy,
    readonly s3: TcpProxy,
    readonly redis: TcpProxy | undefined,
    private readonly parts: {
      services: ServiceProcess[];
      clocks: SkewedClocks;
      s3Server: TestS3Server;
      redisServer: TestRedis | undefined;
      diskAt: string | undefined;
      sql: Sql;
    },
  ) {}

  static async open({ redis = false, disk, workers = 1 }: ChaosOptions = {}): Promise<ChaosStage> {
    const folder = await temporaryFolder();
    const diskAt = disk === undefined ? undefined : join(folder.path, 'disk');
    if (diskAt !== undefined) {
      await mkdir(diskAt);
      if (!mountTmpfs(diskAt, disk!)) throw new Error('the file system could not be mounted');
    }
    const place = diskAt ?? folder.path;
    const postgres = await startOwnPostgres({
      dataDir: join(place, 'data'),
      settings: { max_wal_size: '64MB', min_wal_size: '32MB' },
    });
    const database = await TcpProxy.before(postgres.url);
    const s3Server = await TestS3Server.start();
    const s3 = await TcpProxy.before(s3Server.origin);
    const redisServer = redis ? await startTestRedis() : undefined;
    const redisProxy = redisServer && (await TcpProxy.before(redisServer.url, 6379));
    const env = (name: string): Record<string, string> => ({
      DATABASE_URL: database.through(postgres.url),
      DATA_DIR: join(place, name),
      MASTER_KEY: 'a1'.repeat(32),
      RESERVATION_LEASE_MS: String(LEASE_MS),
      WORKERS: String(workers),
      RATE_LIMIT_ANALYTICS: 'off',
      RATE_LIMIT_INFERENCE: '1000000/60',
      INTERN_RUNTIME: 'none',
      S3_BUCKET: 'bucket',
      S3_ENDPOINT: s3.through(s3Server.origin).replace(/\/$/, ''),
      S3_ACCESS_KEY_ID: 'test-access',
      S3_SECRET_ACCESS_KEY: 'test-secret',
      ...(redisProxy && redisServer ? { REDIS_URL: redisProxy.through(redisServer.url) } : {}),
    });
    const services = [await startServiceProcess(env('one'))];
    const clocks = await SkewedClocks.open(Date.now());
    services.push(await startServiceProcess({ ...env('two'), ...clocks.env(0) }, SkewedClocks.preload));
    const sql = new Sql(postgres.url, 2);
    await insertWideBudgets(sql);
    const parts = { services, clocks, s3Server, redisServer, diskAt, sql };
    return new ChaosStage(folder, postgres, database, s3, redisProxy, parts);
  }

  get sql(): Sql {
    return this.parts.sql;
  }

  get dataDirs(): string[] {
    return ['one', 'two'].map((name) => join(this.parts.diskAt ?? this.folder.path, name));
  }

  /** Sets the clock of the second service ahead by this time. */
  skew(ms: number): Promise<void> {
    return this.parts.clocks.set(Date.now() + ms);
  }

  /** Causes one fault under load, then checks the balances. Returns the number of complete responses. */
  async round({ begin, holdMs, end, ready, isHarmless = false }: Fault): Promise<number> {
    const { services, sql } = this.parts;
    let turn = 0;
    const anyOrigin = (): string => services[turn++ % services.length]!.origin;
    const watches = services.map(({ origin }) => new ReadinessWatch(origin));
    const load = new SpeechLoad(anyOrigin, TEST_API_KEY, CALLERS);
    const slow = new SlowCallers(anyOrigin, TEST_API_KEY, SLOW_CALLERS);
    const management = this.#manage(anyOrigin);
    try {
      await eventually(
        () => Promise.resolve(expect(load.seen.some((call) => call.whole && call.status === 200)).toBe(true)),
        HEALED_WITHIN_MS,
      );
      await sleep(Math.random() * 1_000);
      await begin();
      const began = performance.now();
      await sleep(holdMs);
      if (ready !== 'either') await eventually(async () => this.#expectSeen(watches, began), HEALED_WITHIN_MS);
      const ended = performance.now();
      await end?.();
      this.#expectReadiness(watches, ready, began, ended);
      // The services must recover by themselves, and serve calls.
      await eventually(async () => {
        for (const { origin } of services) expect((await fetch(`${origin}/readyz`)).status).toBe(200);
      }, HEALED_WITHIN_MS);
      const healed = load.seen.length;
      await eventually(
        () =>
          Promise.resolve(
            expect(load.seen.slice(healed).filter((call) => call.whole && call.status === 200).length).toBeGreaterThan(
              4,
            ),
          ),
        HEALED_WITHIN_MS,
      );
    } finally {
      slow.stop();
      management.stop();
      await Promise.all(watches.map((watch) => watch.stop()));
    }
    const seen = await load.stop();
    const count = (is: (call: SeenCall) => boolean): number => seen.filter(is).length;
    process.stdout.write(
      `${count(({ status, whole }) => status === 200 && whole)} whole, ` +
        `${count(({ status, whole }) => status === 200 && !whole)} cut, ${count(({ status }) => status === 503)} ` +
        `refused, ${count(({ status }) => status === 0)} unanswered, ` +
        `${count(({ status }) => ![0, 200, 503].includes(status))} others\n`,
    );
    this.expectAlive();
    if (isHarmless) expect(seen.filter((call) => call.status !== 200 || !call.whole)).toEqual([]);
    expect(Math.max(...watches.map(({ slowestMs }) => slowestMs))).toBeLessThan(READY_ANSWER_MS);
    // The leases of lost reservations expire, and the sweeper releases the reservations.
    await expectSettled(sql, HEALED_WITHIN_MS);
    await expectBudgetsCounted(sql);
    return expectWholeAnswersBilledOnce(sql, seen);
  }

  expectAlive(): void {
    for (const { pid, output } of this.parts.services) expect([isAlive(pid), output()]).toEqual([true, output()]);
  }

  async close(): Promise<void> {
    const { services, clocks, s3Server, redisServer, diskAt, sql } = this.parts;
    for (const service of services) service.kill('SIGTERM');
    await Promise.all(services.map((service) => service.exited));
    await sql.close();
    for (const proxy of [this.database, this.s3, this.redis]) await proxy?.stop();
    await redisServer?.stop();
    await s3Server.stop();
    await this.postgres.stop();
    await clocks.close();
    if (diskAt !== undefined) unmount(diskAt);
    await this.folder.remove();
  }

  /** Throws unless each service was sampled during the fault: on a busy machine, a sample may take longer than that. */
  #expectSeen(watches: readonly ReadinessWatch[], began: number): void {
    for (const watch of watches) {
      expect(watch.between(began + NOTICED_AFTER_MS, performance.now()).length).toBeGreaterThan(0);
    }
  }

  #expectReadiness(watches: readonly ReadinessWatch[], ready: Fault['ready'], began: number, ended: number): void {
    if (ready === 'either') return;
    for (const watch of watches) {
      const statuses = watch.between(began + NOTICED_AFTER_MS, ended);
      const right = statuses.filter((status) => status === (ready === 'always' ? 200 : 503));
      if (ready === 'never') expect(right).toEqual(statuses);
      // A readiness probe has a timeout of 1 s. On a busy machine, it can exceed the timeout in rare cases.
      else expect(right.length).toBeGreaterThan(0.8 * statuses.length);
    }
  }

  /** Creates keys and uploads files until `stop`. These requests need the database, the disk and the bucket. */
  #manage(origin: () => string): { stop: () => void } {
    let going = true;
    const call = async (): Promise<void> => {
      const body = new FormData();
      body.set('file', new Blob(['some text']), 'note.txt');
      const headers = { authorization: `Bearer ${TEST_MANAGEMENT_KEY}` };
      await fetch(`${origin()}/api/v1/files`, { method: 'POST', headers, body }).then((answer) => answer.arrayBuffer());
      await fetch(`${origin()}/api/v1/keys`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'chaos' }),
      }).then((answer) => answer.arrayBuffer());
    };
    void (async () => {
      while (going) {
        await call().catch(() => undefined);
        await sleep(200);
      }
    })();
    return { stop: () => (going = false) };
  }
}
