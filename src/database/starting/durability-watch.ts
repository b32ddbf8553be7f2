import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { ProcessRole } from '../../config/process-role.js';
import { Periodic } from '../../kernel/scheduling/periodic.js';
import { single } from '../../telemetry/metric-family.js';
import { Metrics } from '../../telemetry/metrics.js';
import { isDatabaseUnavailable } from '../database-faults.js';
import { Sql } from '../sql.js';
import { durabilityFault } from './durability.js';

const INTERVAL_MS = 3_600_000;
/** While there is a fault, the checks are more frequent, so that the metric soon shows that the fault is fixed. */
const FAULTY_INTERVAL_MS = 60_000;

/**
 * With DURABILITY=replica: checks once an hour that commits still reach a standby before they return. A fault is logged
 * and shown by a metric; calls continue.
 */
@Injectable()
export class DurabilityWatch implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #log = new Logger('database');
  readonly #checks = new Periodic(
    () => this.check(),
    (error) => this.#log.warn(`Whether commits reach a standby could not be checked: ${error.message}`),
  );
  readonly #isOn: boolean;
  #fault: string | undefined;

  constructor(
    config: Config,
    role: ProcessRole,
    @Inject(Sql) private readonly sql: Sql,
    metrics: Metrics,
  ) {
    this.#isOn = config.values.DURABILITY === 'replica' && !role.isWorker;
    if (!this.#isOn) return;
    metrics.add('durability', () => [
      single(
        'gauge',
        'gatehouse_database_durable',
        'With DURABILITY=replica: 1 if commits reach a standby before they return, else 0.',
        this.#fault === undefined ? 1 : 0,
      ),
    ]);
  }

  onApplicationBootstrap(): void {
    if (this.#isOn) this.#checks.start(() => (this.#fault === undefined ? INTERVAL_MS : FAULTY_INTERVAL_MS));
  }

  onApplicationShutdown(): Promise<void> {
    return this.#checks.stop();
  }

  async check(): Promise<void> {
    const fault = await durabilityFault((text) => this.sql.query(text)).catch((error: unknown) => {
      // DatabaseWatch logs that the database is unavailable.
      if (isDatabaseUnavailable(error)) return this.#fault;
      throw error;
    });
    if (fault !== undefined && fault !== this.#fault)
      this.#log.error(`Commits may be lost with the database server, although DURABILITY is replica: ${fault}`);
    if (fault === undefined && this.#fault !== undefined) this.#log.log('Commits reach a standby again');
    this.#fault = fault;
  }
}
