import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { Sql } from '../../database/sql.js';
import { GatewayError } from '../../kernel/errors/errors.js';
import { CounterDrivers } from '../../rate-limits/counter-drivers.js';
import { ReplicaAnnouncer } from '../../secrets/replica-announcer.js';
import { DataFolder } from '../../storage/data-folder.js';
import { ObjectStore } from '../../storage/object-store.port.js';
import { beforeDeadline } from './before-deadline.js';

const TIMEOUT_MS = 1_500;
/** Below the time limit of a check, so that the timeout of the database is reported first. */
const QUERY_TIMEOUT_MS = 1_200;
/** The key of an object that does not exist. A store that responds "not found" is reachable. */
const NO_OBJECT = 'health';

export const CHECKED = ['database', 'data_folder', 'secrets', 'object_store', 'redis'] as const;

export interface HealthCheck {
  readonly name: (typeof CHECKED)[number];
  /** Undefined = no fault. */
  readonly fault: string | undefined;
  readonly ms: number;
}

/** Checks the database and each configured dependency, with a time limit. */
@Injectable()
export class HealthChecks {
  readonly #checks: readonly (readonly [HealthCheck['name'], () => Promise<string | undefined>])[];

  constructor(
    sql: Sql,
    folder: DataFolder,
    announcer: ReplicaAnnouncer,
    store: ObjectStore,
    counters: CounterDrivers,
    { values }: Config,
  ) {
    const { redisResponds } = counters;
    const database = async (): Promise<undefined> => {
      await sql.query('select 1', [], { timeoutMs: QUERY_TIMEOUT_MS });
    };
    const objectStore = async (): Promise<undefined> => {
      await store.get(NO_OBJECT);
    };
    this.#checks = [
      ['database', database],
      ['data_folder', () => folder.fault()],
      [
        'secrets',
        async () => (announcer.opensSecrets ? undefined : 'This replica does not have the current master key'),
      ],
      // Without a bucket, objects are stored in the data folder.
      ...(values.S3_BUCKET === undefined ? [] : [['object_store', objectStore] as const]),
      ...(redisResponds
        ? [['redis', async () => ((await redisResponds()) ? undefined : 'Redis does not respond')] as const]
        : []),
    ];
  }

  run(): Promise<HealthCheck[]> {
    return Promise.all(this.#checks.map(([name, check]) => timed(name, check)));
  }
}

async function timed(name: HealthCheck['name'], check: () => Promise<string | undefined>): Promise<HealthCheck> {
  const since = performance.now();
  const fault = await beforeDeadline(TIMEOUT_MS, check().catch(faultOf), `No response within ${TIMEOUT_MS} ms`);
  return { name, fault, ms: Math.round(performance.now() - since) };
}

/** Only messages of GatewayErrors are returned, because other messages may contain addresses. */
const faultOf = (error: Error): string => (error instanceof GatewayError ? error.message : 'No response');
