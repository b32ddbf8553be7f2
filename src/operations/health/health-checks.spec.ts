import { Config } from '../../config/config.js';
import type { Sql } from '../../database/sql.js';
import type { CounterDrivers } from '../../rate-limits/counter-drivers.js';
import type { ReplicaAnnouncer } from '../../secrets/replica-announcer.js';
import type { DataFolder } from '../../storage/data-folder.js';
import type { ObjectStore } from '../../storage/object-store.port.js';
import { storeUnavailable } from '../../storage/store-unavailable.js';
import { HealthChecks, type HealthCheck } from './health-checks.js';

interface Parts {
  readonly query?: () => Promise<unknown>;
  readonly get?: () => Promise<undefined>;
  readonly redis?: () => Promise<boolean>;
  readonly opensSecrets?: boolean;
  readonly fault?: string;
  readonly bucket?: string;
}

const run = async (parts: Parts = {}): Promise<HealthCheck[]> =>
  new HealthChecks(
    { query: parts.query ?? (async () => []) } as unknown as Sql,
    { fault: async () => parts.fault } as unknown as DataFolder,
    { opensSecrets: parts.opensSecrets ?? true } as ReplicaAnnouncer,
    { get: parts.get ?? (async () => undefined) } as unknown as ObjectStore,
    { redisResponds: parts.redis } as CounterDrivers,
    { values: { S3_BUCKET: parts.bucket } } as Config,
  ).run();
const faults = async (parts: Parts): Promise<[string, string | undefined][]> =>
  (await run(parts)).map(({ name, fault }) => [name, fault]);

describe('the health checks', () => {
  it('include the object store and Redis only if they are configured', async () => {
    expect((await run()).map(({ name }) => name)).toEqual(['database', 'data_folder', 'secrets']);
    expect((await run({ bucket: 'b', redis: async () => true })).slice(3)).toMatchObject([
      { name: 'object_store', fault: undefined },
      { name: 'redis', fault: undefined },
    ]);
  });

  it('report faults in messages of this service, without the address of the database', async () => {
    const parts = {
      query: () => Promise.reject(new Error('connect ECONNREFUSED 10.1.2.3:5432')),
      get: () => Promise.reject(storeUnavailable('the bucket of this service cannot be written or read (ECONNRESET)')),
      redis: async () => false,
      opensSecrets: false,
      fault: 'DATA_DIR does not exist: restore it',
      bucket: 'b',
    };
    expect(await faults(parts)).toEqual([
      ['database', 'No response'],
      ['data_folder', 'DATA_DIR does not exist: restore it'],
      ['secrets', 'This replica does not have the current master key'],
      ['object_store', expect.stringContaining('ECONNRESET')],
      ['redis', 'Redis does not respond'],
    ]);
  });

  it('time out after 1.5 s if a dependency does not respond', async () => {
    const [database, folder] = await run({ query: () => new Promise(() => undefined) });
    expect(database).toMatchObject({ fault: 'No response within 1500 ms', ms: expect.any(Number) });
    expect(database!.ms).toBeGreaterThanOrEqual(1_400);
    expect(folder!.fault).toBeUndefined();
  });
});
