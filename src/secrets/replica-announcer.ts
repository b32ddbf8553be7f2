import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { schemaVersion } from '../database/migrate.js';
import { Notifications } from '../database/notifications.js';
import { Sql } from '../database/sql.js';
import { Periodic } from '../kernel/scheduling/periodic.js';
import type { MetricFamily } from '../telemetry/metric-family.js';
import { Metrics } from '../telemetry/metrics.js';
import { KeyRing } from './envelope/key-ring.js';
import { MasterKeyStart } from './master-key-start.js';
import { Replicas } from './replicas.js';

const HEARTBEAT_MS = 5_000;
/** A scrape waits at most this long for the database. */
const METRICS_TIMEOUT_MS = 2_000;

/**
 * Announces this service in the table of replicas, with its schema version and its master keys. Reads the keys again at
 * each heartbeat, because a rotation waits until every replica has announced the new key.
 */
@Injectable()
export class ReplicaAnnouncer implements OnApplicationBootstrap, OnModuleDestroy {
  readonly id = `${hostname()}-${randomBytes(3).toString('hex')}`;
  // DatabaseWatch logs failures, and the next heartbeat tries again.
  readonly #heartbeat = new Periodic(
    () => this.#announce(),
    () => undefined,
  );

  constructor(
    private readonly ring: KeyRing,
    private readonly sql: Sql,
    private readonly notifications: Notifications,
    private readonly start: MasterKeyStart,
    replicas: Replicas,
    metrics: Metrics,
  ) {
    notifications.on('master_key_changed', () => void this.#heartbeat.trigger());
    metrics.add('replicas', async () => familiesOf(await replicas.list(METRICS_TIMEOUT_MS)), { isShared: true });
  }

  /** Whether this service can open sealed values. */
  get opensSecrets(): boolean {
    return this.ring.problem === undefined;
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.notifications.start();
    await this.start.release();
    await this.#heartbeat.trigger();
    this.#heartbeat.start(HEARTBEAT_MS);
  }

  async onModuleDestroy(): Promise<void> {
    await this.#heartbeat.stop();
    await this.start.release();
    await this.sql.query('delete from replica where id = $1', [this.id], { timeoutMs: 1_000 }).catch(() => undefined);
  }

  async #announce(): Promise<void> {
    await this.ring.read();
    await this.sql.query(
      `with ended as (delete from replica where heartbeat_at < now() - interval '1 day' and id <> $1)
       insert into replica (id, started_at, heartbeat_at, schema_version, master_key_ids, opens_secrets)
       values ($1, now(), now(), $2, $3, $4)
       on conflict (id) do update set heartbeat_at = now(), master_key_ids = excluded.master_key_ids,
         opens_secrets = excluded.opens_secrets`,
      [this.id, schemaVersion(), this.ring.offered.map(({ id }) => id), this.opensSecrets],
    );
  }
}

const familiesOf = (replicas: readonly { id: string; opensSecrets: boolean }[]): MetricFamily[] => [
  {
    type: 'gauge',
    name: 'gatehouse_replica_opens_secrets',
    help: 'Whether a replica with a recent heartbeat can open what is sealed, of all replicas.',
    samples: replicas.map(({ id, opensSecrets }) => ({ labels: { replica: id }, value: opensSecrets ? 1 : 0 })),
  },
];
