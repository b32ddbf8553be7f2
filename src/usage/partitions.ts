import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../kernel/clock.js';
import { Periodic } from '../kernel/scheduling/periodic.js';
import { Config } from '../config/config.js';
import { ProcessRole } from '../config/process-role.js';
import { Sql, type SqlSession } from '../database/sql.js';
import { retainedFrom } from './feed/retained-from.js';

const DAYS_AHEAD = 7;
const SWEEP_EVERY_MS = 3_600_000;
const DAY_MS = 86_400_000;
const DAY_DIGITS = 'YYYYMMDD'.length;
/**
 * A change of partitions waits for running statements, and later statements wait for the change. So the change times
 * out early and is retried in the next round.
 */
const LOCK_TIMEOUT_MS = 1_000;
/** Deleting a day of records takes longer than the usual statement timeout. */
const SWEEP_TIMEOUT_MS = 120_000;

// The tables that are partitioned by day.
const CALLS = 'generation';
const TABLES = [CALLS, 'generation_detail'] as const;
type PartitionedTable = (typeof TABLES)[number];

/**
 * Creates the day partitions of the usage records in advance, and drops the partitions that are older than
 * USAGE_RETENTION_DAYS. Rows without a partition go to the default partition.
 */
@Injectable()
export class Partitions implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger(Partitions.name);
  readonly #rounds = new Periodic(
    async () => {
      await this.makeAhead();
      await this.dropOld();
    },
    (error) => this.#log.warn(error.message),
  );

  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly role: ProcessRole = new ProcessRole(),
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (this.role.isWorker) return;
    await this.makeAhead();
    this.#rounds.start(SWEEP_EVERY_MS);
    void this.#rounds.trigger();
  }

  onModuleDestroy(): Promise<void> {
    return this.#rounds.stop();
  }

  async makeAhead(): Promise<void> {
    const today = Math.floor(this.clock.now().getTime() / DAY_MS) * DAY_MS;
    for (let day = 0; day <= DAYS_AHEAD; day++) await this.make(new Date(today + day * DAY_MS));
  }

  /** Drops the partitions of days past retention, and deletes rows of such days from the default partition. */
  async dropOld(): Promise<void> {
    const days = this.config.values.USAGE_RETENTION_DAYS;
    if (days === undefined) return;
    const before = new Date(retainedFrom(days, this.clock.now().getTime()));
    try {
      for (const table of TABLES) {
        const oldest = partitionOf(table, before);
        for (const name of await namesOfPartitions(table, (text) => this.sql.query(text)))
          if (name < oldest) await this.#remove(name, before, `drop table ${name}`);
        const rest = `${table}_default`;
        await this.#remove(rest, before, `delete from ${rest} where created_at < '${before.toISOString()}'`);
      }
    } catch (error) {
      this.#log.warn(
        `Usage records past their retention could not be deleted; this is retried: ${(error as Error).message}`,
      );
    }
  }

  /** Makes the partitions of the UTC day that begins at `day`, unless they exist. Never throws. */
  async make(day: Date): Promise<void> {
    for (const table of TABLES) await this.#make(table, day);
  }

  async #make(table: PartitionedTable, day: Date): Promise<void> {
    const name = partitionOf(table, day);
    try {
      const [known] = await this.sql.query<{ found: string | null }>('select to_regclass($1) as found', [name]);
      if (known?.found) return;
      await this.#change(makingPartitionOf(table, day));
    } catch (error) {
      this.#log.warn(
        `Partition ${name} could not be created, and its rows go to the default partition: ` + (error as Error).message,
      );
    }
  }

  /** Removes calls from a partition. The ledger keeps one entry for each account and day instead. */
  #remove(partition: string, before: Date, statement: string): Promise<void> {
    return this.#change(statement, async (session) => {
      if (partition.startsWith(`${CALLS}_detail`)) return;
      await session.query('select ledger_fold_calls($1::regclass, $2)', [partition, before]);
    });
  }

  async #change(statement: string, prepare?: (session: SqlSession) => Promise<void>): Promise<void> {
    await this.sql.transaction(
      async (session) => {
        await session.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
        await prepare?.(session);
        await session.query(statement);
      },
      { timeoutMs: SWEEP_TIMEOUT_MS },
    );
  }
}

/** The statements that create a day's partitions unless they exist. */
export const makingPartitionsOf = (day: Date): string[] => TABLES.map((table) => makingPartitionOf(table, day));

function makingPartitionOf(table: PartitionedTable, day: Date): string {
  const from = day.toISOString().slice(0, 10);
  const to = new Date(day.getTime() + DAY_MS).toISOString().slice(0, 10);
  // Partition bounds cannot be parameters. These bounds are safe, because they are dates that are formatted here.
  return `create table if not exists ${partitionOf(table, day)} partition of ${table}
    for values from ('${from} 00:00:00+00') to ('${to} 00:00:00+00')`;
}

/** The days that have a partition, in the form 2026-11-20, oldest first. */
export async function daysOfPartitions(query: (text: string) => Promise<{ name: string }[]>): Promise<string[]> {
  const names = await namesOfPartitions('generation', query);
  return names.map((name) => name.slice(-DAY_DIGITS).replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3'));
}

/** Oldest first, without the default partition. */
async function namesOfPartitions(
  table: PartitionedTable,
  query: (text: string) => Promise<{ name: string }[]>,
): Promise<string[]> {
  const partitions = await query(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = '${table}'::regclass order by 1`,
  );
  return partitions.map(({ name }) => name).filter((name) => /_\d{8}$/.test(name));
}

const partitionOf = (table: PartitionedTable, day: Date): string =>
  `${table}_${day.toISOString().slice(0, 10).replaceAll('-', '')}`;
