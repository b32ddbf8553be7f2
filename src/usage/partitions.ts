import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../kernel/clock.js';
import { Sql } from '../database/sql.js';

const DAYS_AHEAD = 7;
const EVERY_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** Makes the day partitions of `generation` ahead of time. Rows that find none go to the default partition. */
@Injectable()
export class Partitions implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger(Partitions.name);
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.makeAhead();
    this.#timer = setInterval(() => void this.makeAhead(), EVERY_MS);
    this.#timer.unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.#timer);
  }

  async makeAhead(): Promise<void> {
    const today = Math.floor(this.clock.now().getTime() / DAY_MS) * DAY_MS;
    for (let day = 0; day <= DAYS_AHEAD; day++) await this.#make(new Date(today + day * DAY_MS));
  }

  async #make(day: Date): Promise<void> {
    const from = day.toISOString().slice(0, 10);
    const to = new Date(day.getTime() + DAY_MS).toISOString().slice(0, 10);
    const name = `generation_${from.replaceAll('-', '')}`;
    try {
      const [known] = await this.sql.query<{ found: string | null }>('select to_regclass($1) as found', [name]);
      if (known?.found) return;
      // Both bounds are dates of our own making: a partition's bounds cannot be parameters.
      await this.sql.query(`create table if not exists ${name} partition of generation for values from ('${from} 00:00:00+00') to ('${to} 00:00:00+00')`);
    } catch (error) {
      this.#log.warn(`Partition ${name} was not made, its rows go to the default one: ${(error as Error).message}`);
    }
  }
}
