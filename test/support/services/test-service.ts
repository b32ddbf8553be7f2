import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Config } from '../../../src/config/config.js';
import { DatabaseUrls } from '../../../src/database/database-urls.js';
import { Sql } from '../../../src/database/sql.js';
import { ServiceLog } from '../../../src/http/log/service-log.js';
import type { AdapterRegistry } from '../../../src/inference/adapter-registry.js';
import { Clock } from '../../../src/kernel/clock.js';
import { liveAdapters } from '../../../src/live-adapters.js';
import { startService, type RunningService } from '../../../src/service.js';
import { apiClient, type ApiClient } from '../api/api-client.js';
import { openInternOrigin, type InternOrigin } from '../interns/intern-origin.js';
import { createTestDatabase } from '../database/test-database.js';
import { temporaryRoot } from '../temporary-folder.js';

export const TEST_MANAGEMENT_KEY = 'test-management-key-0123456789abcdef0123';
export const TEST_API_KEY = 'test-standard-key-0123456789abcdef012345';

/** A clock that does not advance; a test sets it. */
export class SetClock extends Clock {
  constructor(private time: Date) {
    super();
  }

  now(): Date {
    return new Date(this.time);
  }

  set(time: Date | string): void {
    this.time = new Date(time);
  }
}

export interface TestServiceOptions {
  /** Environment variables in addition to the defaults of `startTestService`. */
  readonly env?: Readonly<Record<string, string>>;
  readonly clock?: Clock;
  readonly adapters?: AdapterRegistry;
  /** Receives the log instead of standard output. */
  readonly logTo?: (text: string) => void;
  /** A database that another service of the test created. `stop` does not drop it. */
  readonly databaseUrl?: string;
}

export interface TestService {
  readonly origin: string;
  readonly databaseUrl: string;
  /** Calls the API and checks every response against the OpenAPI document. */
  readonly management: ApiClient;
  readonly standard: ApiClient;
  as(key?: string): ApiClient;
  /** Calls like an intern's runtime, where only that intern's own key works. */
  inside(internId: string, key?: string): Promise<ApiClient>;
  /** SQL on the service's database, to check what the API does not show. */
  readonly sql: Sql;
  readonly app: RunningService['app'];
  stop(): Promise<void>;
}

/** Starts the whole service in this process, on a new migrated database and a free port, with both bootstrap keys. */
export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const database = options.databaseUrl === undefined ? await createTestDatabase() : undefined;
  const databaseUrl = options.databaseUrl ?? database!.url;
  const dataDir = await mkdtemp(join(temporaryRoot(), 'gatehouse-test-'));
  const config = Config.read({
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    LOG_LEVEL: 'error',
    LOG_FORMAT: 'text',
    MASTER_KEY: 'a1'.repeat(32),
    BOOTSTRAP_MANAGEMENT_KEY: TEST_MANAGEMENT_KEY,
    BOOTSTRAP_API_KEY: TEST_API_KEY,
    // Independent of whether there is a build of the console.
    CONSOLE_DIR: '/nonexistent',
    // Without credit leases, only running calls have reservations, even if calls are frequent. Services in separate
    // processes use leases.
    CREDIT_LEASES: 'off',
    ...options.env,
  });
  const own = options.adapters ? undefined : liveAdapters(config);
  const log = options.logTo && new ServiceLog(config.values, { write: options.logTo, flushSync: () => undefined });
  const composition = {
    config,
    urls: new DatabaseUrls(databaseUrl),
    adapters: options.adapters ?? own!.registry,
    clock: options.clock,
    log,
  };
  let service: RunningService | undefined = await startService(composition);
  const { origin } = service;
  const sql = new Sql(databaseUrl, 2);
  const origins: InternOrigin[] = [];
  return {
    origin,
    databaseUrl,
    management: apiClient(origin, TEST_MANAGEMENT_KEY),
    standard: apiClient(origin, TEST_API_KEY),
    as: (key) => apiClient(origin, key),
    inside: async (internId, key) => {
      const opened = await openInternOrigin(service!.app, internId);
      origins.push(opened);
      return apiClient(opened.origin, key, origin);
    },
    sql,
    get app() {
      return service!.app;
    },
    stop: async () => {
      for (const opened of origins) opened.close();
      await service?.stop();
      // Node never unloads the module of a test file, which may refer to this object.
      service = undefined;
      await own?.close();
      await sql.close();
      await database?.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
