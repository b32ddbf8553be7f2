import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Periodic } from '../kernel/scheduling/periodic.js';
import { SignInAttempts } from './sign-in-attempts.js';

const SWEEP_EVERY_MS = 60_000;

/** Removes expired attempts. An expired attempt is refused even before it is removed. */
@Injectable()
export class AttemptSweeper implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger(AttemptSweeper.name);
  readonly #rounds = new Periodic(
    () => this.attempts.sweep(),
    (error) => this.#log.warn(`The sweep of sign-in attempts failed and will be retried: ${error.message}`),
  );

  constructor(private readonly attempts: SignInAttempts) {}

  onApplicationBootstrap(): void {
    this.#rounds.start(SWEEP_EVERY_MS);
  }

  async onModuleDestroy(): Promise<void> {
    await this.#rounds.stop();
  }
}
