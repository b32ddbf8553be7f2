import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Notifications } from '../../database/notifications.js';
import { RuntimeDriver } from '../../runtimes/runtime.driver.js';
import { CreationClaims } from '../creation-claims.js';
import { HeldInterns } from './held-interns.js';
import { InternWork } from './intern-work.js';
import { WorkQueue } from './work-queue.js';

const LOOK_EVERY_MS = 1_000;
const PURGE_EVERY_MS = 600_000;
/** Interns booting or going at the same time on this replica; running ones do not count. */
const AT_ONCE = 8;

/** Takes due interns from the queue for as long as the service runs, and gives back what it holds when that ends. */
@Injectable()
export class Provisioner implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger('interns');
  readonly #busy = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #purge: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #again = false;
  #stopped = false;

  constructor(
    private readonly queue: WorkQueue,
    private readonly held: HeldInterns,
    private readonly work: InternWork,
    private readonly driver: RuntimeDriver,
    private readonly claims: CreationClaims,
    notifications: Notifications,
  ) {
    notifications.on('intern_work', () => this.look());
    notifications.onGap(() => this.look());
  }

  onApplicationBootstrap(): void {
    if (!this.driver.runs) return;
    this.held.start();
    this.#timer = setInterval(() => this.look(), LOOK_EVERY_MS);
    this.#purge = setInterval(
      () => void this.claims.purge().catch((error: unknown) => this.#warn('forget old creations', error)),
      PURGE_EVERY_MS,
    );
    for (const timer of [this.#timer, this.#purge]) timer.unref();
  }

  async onModuleDestroy(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    clearInterval(this.#purge);
    await this.#looking;
    this.held.stop();
    await this.work.giveBackAll();
    await Promise.all(this.#busy);
  }

  /** Looks at the queue now; while it does, once more afterwards. */
  look(): void {
    if (this.#stopped || !this.driver.runs) return;
    this.#again = true;
    this.#looking ??= this.#lookUntilQuiet().finally(() => (this.#looking = undefined));
  }

  async #lookUntilQuiet(): Promise<void> {
    while (this.#again && !this.#stopped) {
      this.#again = false;
      try {
        await this.#takeSome();
      } catch (error) {
        this.#warn('look for interns to work on', error);
      }
    }
  }

  async #takeSome(): Promise<void> {
    const free = AT_ONCE - this.#busy.size;
    if (free <= 0) return;
    const askedAt = Date.now();
    for (const job of await this.queue.take(free)) {
      const done = this.work.run(this.held.add(job, askedAt)).finally(() => {
        this.#busy.delete(done);
        this.look();
      });
      this.#busy.add(done);
    }
  }

  #warn(what: string, error: unknown): void {
    this.#log.warn(`cannot ${what}, and will try again: ${error instanceof Error ? error.message : String(error)}`);
  }
}
