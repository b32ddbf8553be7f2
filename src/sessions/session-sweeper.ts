import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Periodic } from '../kernel/scheduling/periodic.js';
import { ConsoleSessions } from './console-sessions.js';

const SWEEP_EVERY_MS = 60_000;

/** Deletes expired sessions and codes. It is not time-critical, because expired ones are already refused. */
@Injectable()
export class SessionSweeper implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger(SessionSweeper.name);
  readonly #rounds = new Periodic(
    () => this.sessions.sweep(),
    (error) => this.#log.warn(`The sweep of sessions failed and will be retried: ${error.message}`),
  );

  constructor(private readonly sessions: ConsoleSessions) {}

  onApplicationBootstrap(): void {
    this.#rounds.start(SWEEP_EVERY_MS);
  }

  async onModuleDestroy(): Promise<void> {
    await this.#rounds.stop();
  }
}
