import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type BeforeApplicationShutdown,
} from '@nestjs/common';
import { Sql } from '../database/sql.js';
import { Periodic } from '../kernel/scheduling/periodic.js';

const FLUSH_EVERY_MS = 60_000;

/**
 * The time of the last request with each key. Uses are collected in memory and written once a minute in one statement,
 * so no request waits for them. A killed process loses the uses of at most one minute.
 */
@Injectable()
export class KeyUses implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown {
  readonly #log = new Logger(KeyUses.name);
  #unwritten = new Map<number, Date>();
  readonly #flushes = new Periodic(
    () => this.flush(),
    (error) => this.#log.warn(error.message),
  );

  constructor(private readonly sql: Sql) {}

  onApplicationBootstrap(): void {
    this.#flushes.start(FLUSH_EVERY_MS);
  }

  onModuleDestroy(): Promise<void> {
    return this.#flushes.stop();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.flush();
  }

  note(keyNo: number, at: Date): void {
    this.#unwritten.set(keyNo, at);
  }

  /** The last uses by key number, from the database and this replica's memory. Keys that were never used are absent. */
  async ofKeys(keyNos: readonly number[]): Promise<Map<number, Date>> {
    const uses = new Map<number, Date>();
    if (keyNos.length === 0) return uses;
    const rows = await this.sql.query<{ key_no: number; used_at: Date }>(
      'select key_no, used_at from key_use where key_no = any($1::int[])',
      [keyNos],
    );
    for (const row of rows) uses.set(row.key_no, row.used_at);
    for (const keyNo of keyNos) {
      const held = this.#unwritten.get(keyNo);
      if (held && held > (uses.get(keyNo) ?? new Date(0))) uses.set(keyNo, held);
    }
    return uses;
  }

  /** Never throws. Uses that could not be written are kept for the next flush. */
  async flush(): Promise<void> {
    if (this.#unwritten.size === 0) return;
    const writing = this.#unwritten;
    this.#unwritten = new Map();
    try {
      // Sorted, so that replicas that write at the same time lock the rows in the same order and cannot deadlock.
      const uses = [...writing].toSorted(([a], [b]) => a - b);
      await this.sql.query(
        `insert into key_use (key_no, used_at) select * from unnest($1::int[], $2::timestamptz[])
         on conflict (key_no) do update set used_at = excluded.used_at where key_use.used_at < excluded.used_at`,
        [uses.map(([keyNo]) => keyNo), uses.map(([, at]) => at)],
      );
    } catch (error) {
      for (const [keyNo, at] of writing) if (!this.#unwritten.has(keyNo)) this.#unwritten.set(keyNo, at);
      this.#log.warn(
        `The last uses of ${writing.size} keys could not be written and will be retried: ` + (error as Error).message,
      );
    }
  }
}
