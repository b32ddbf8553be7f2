import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Sql } from '../database/sql.js';
import { Clock } from '../kernel/clock.js';
import { Periodic } from '../kernel/scheduling/periodic.js';

const SWEEP_EVERY_MS = 300_000;
/** How long a code is kept after it expires, so that a second use can still disable its key. */
const CODE_KEPT_MS = 7 * 86_400_000;

/** Deletes old codes and records of used tokens. Sweeps may be late, because expired codes and tokens are refused. */
@Injectable()
export class ApplicationSweeper implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger(ApplicationSweeper.name);
  readonly #rounds = new Periodic(
    () => this.sweep(),
    (error) => this.#log.warn(`The sweep of authorization codes failed and will be retried: ${error.message}`),
  );

  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.#rounds.start(SWEEP_EVERY_MS);
  }

  async onModuleDestroy(): Promise<void> {
    await this.#rounds.stop();
  }

  async sweep(): Promise<void> {
    const now = this.clock.now();
    const codesUntil = new Date(now.getTime() - CODE_KEPT_MS);
    await this.sql.query('delete from authorization_code where expires_at < $1', [codesUntil]);
    await this.sql.query('delete from used_token where expires_at < $1', [now]);
  }
}
