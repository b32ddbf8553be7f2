import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../kernel/clock.js';
import { Config } from '../config/config.js';
import { Sql } from '../database/sql.js';

const DAYS_AHEAD = 7;
const EVERY_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** A change of partitions waits for whoever reads or writes them, and all others wait behind it: rather later than long. */
const LOCK_WITHIN_MS = 1_000;

/**
 * Makes the day partitions of `generation` ahead of time, and drops those older than USAGE_RETENTION_DAYS. Rows that find
 * no partition go to the default one.
 */
@Injectable()
export class Partitions implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger(Partitions.name);
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.makeAhead();
    const upkeep = async (): Promise<void> => {
      await this.makeAhead();
      await this.dropOld();
    };
    this.#timer = setInterval(() => void upkeep(), EVERY_MS);
    void this.dropOld();
    this.#timer.unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.#timer);
  }

  async makeAhead(): Promise<void> {
    const today = Math.floor(this.clock.now().getTime() / DAY_MS) * DAY_MS;
    for (let day = 0; day <= DAYS_AHEAD; day++) await this.make(new Date(today + day * DAY_MS));
  }

  /** Removes whole days that retention no longer covers, and what lies that far back in the default partition. */
  async dropOld(): Promise<void> {
    const days = this.config.values.USAGE_RETENTION_DAYS;
    if (days === undefined) return;
    const before = new Date(Math.floor(this.clock.now().getTime() / DAY_MS) * DAY_MS - days * DAY_MS);
    const oldest = partitionOf(before);
    try {
      const partitions = await this.sql.query<{ name: string }>(
        `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'generation'::regclass`,
      );
      for (const { name } of partitions)
        if (/^generation_\d{8}$/.test(name) && name < oldest) await this.#change(`drop table ${name}`);
      await this.sql.query('delete from generation_default where created_at < $1', [before]);
    } catch (error) {
      this.#log.warn(
        `Usage records past their retention were not removed, and will be later: ${(error as Error).message}`,
      );
    }
  }

  /** Of the UTC day that begins then. */
  async make(day: Date): Promise<void> {
    const name = partitionOf(day);
    try {
      const [known] = await this.sql.query<{ found: string | null }>('select to_regclass($1) as found', [name]);
      if (known?.found) return;
      await this.#change(makingPartitionOf(day));
    } catch (error) {
      this.#log.warn(`Partition ${name} was not made, its rows go to the default one: ${(error as Error).message}`);
    }
  }

  async #change(statement: string): Promise<void> {
    await this.sql.transaction(async (session) => {
      await session.query(`set local lock_timeout = ${LOCK_WITHIN_MS}`);
      await session.query(statement);
    });
  }
}

/** The statement that makes a day's partition where there is none. */
export function makingPartitionOf(day: Date): string {
  const from = day.toISOString().slice(0, 10);
  const to = new Date(day.getTime() + DAY_MS).toISOString().slice(0, 10);
  // Both bounds are dates of our own making: a partition's bounds cannot be parameters.
  return `create table if not exists ${partitionOf(day)} partition of generation for values from ('${from} 00:00:00+00') to ('${to} 00:00:00+00')`;
}

/** The days (2026-11-20) that have a partition of their own, oldest first. */
export async function daysOfPartitions(query: (text: string) => Promise<{ name: string }[]>): Promise<string[]> {
  const partitions = await query(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'generation'::regclass order by 1`,
  );
  return partitions.flatMap(({ name }) => /^generation_(\d{4})(\d{2})(\d{2})$/.exec(name)?.slice(1).join('-') ?? []);
}

const partitionOf = (day: Date): string => `generation_${day.toISOString().slice(0, 10).replaceAll('-', '')}`;
