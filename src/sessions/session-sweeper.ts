import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Periodic } from '../kernel/scheduling/periodic.js';
import { ConsoleSessions } from './console-sessions.js';

const SWEEP_EVERY_MS = 60_000;

/** Removes what has expired. Nothing depends on its time: an expired session or code is refused before. */
@Injectable()
export class SessionSweeper implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger(SessionSweeper.name);
  readonly #rounds = new Periodic(
    () => this.sessions.sweep(),
    (error) => this.#log.warn(`The sweep of sessions was put off: ${error.message}`),
  );

  constructor(private readonly sessions: ConsoleSessions) {}

  onApplicationBootstrap(): void {
    this.#rounds.start(SWEEP_EVERY_MS);
  }

  async onModuleDestroy(): Promise<void> {
    await this.#rounds.stop();
  }
}
