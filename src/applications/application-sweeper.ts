import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Sql } from '../database/sql.js';
import { Clock } from '../kernel/clock.js';
import { Periodic } from '../kernel/scheduling/periodic.js';

const SWEEP_EVERY_MS = 300_000;
/** For how long the second use of a code disables its key. */
const CODE_KEPT_MS = 7 * 86_400_000;

/** Removes old codes and the marks of used tokens. Nothing depends on its time: what has expired is refused before. */
@Injectable()
export class ApplicationSweeper implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger(ApplicationSweeper.name);
  readonly #rounds = new Periodic(
    () => this.sweep(),
    (error) => this.#log.warn(`The sweep of authorization codes was put off: ${error.message}`),
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
