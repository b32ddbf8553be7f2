import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Sql } from '../database/sql.js';
import { Clock } from '../kernel/clock.js';
import { ObjectStore } from '../storage/object-store.port.js';
import { fileOfObjectKey } from './file-bytes.js';

const EVERY_MS = 3_600_000;
const BATCH = 500;

/** What a sweep removed. */
export interface Swept {
  /** Complete objects that no row names. */
  readonly objects: number;
  /** What uploads that never ended had left. */
  readonly unfinished: number;
}

/** Removes bytes that no row names: left by services that died, or by a store that could not delete. */
@Injectable()
export class FileSweeper implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger(FileSweeper.name);
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  constructor(
    private readonly store: ObjectStore,
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    this.#timer = setInterval(
      () => void (this.#running ??= this.#round().finally(() => (this.#running = undefined))),
      EVERY_MS,
    );
    this.#timer.unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  /** FILE_SWEEP_AFTER_MS ago: what is younger may belong to an upload under way. */
  usualBorder(): Date {
    return new Date(this.clock.now().getTime() - this.config.values.FILE_SWEEP_AFTER_MS);
  }

  /** What was complete or last written before `before` and has no row is removed. */
  async sweep(before: Date = this.usualBorder()): Promise<Swept> {
    const unfinished = await this.store.discardUnfinished(before);
    let objects = 0;
    for await (const key of this.orphans(before)) {
      await this.store.delete(key);
      objects++;
    }
    return { objects, unfinished };
  }

  /** Keys of objects that no row names, of accounts that the database knows. */
  async *orphans(before: Date): AsyncGenerator<string> {
    let batch: string[] = [];
    for await (const { key, storedAt } of this.store.list()) {
      if (storedAt >= before) continue;
      batch.push(key);
      if (batch.length < BATCH) continue;
      yield* await this.#withoutRow(batch);
      batch = [];
    }
    yield* await this.#withoutRow(batch);
  }

  async #withoutRow(keys: readonly string[]): Promise<string[]> {
    const named = keys
      .map((key) => ({ key, ...fileOfObjectKey(key) }))
      .filter(({ objectId }) => objectId !== undefined);
    if (named.length === 0) return [];
    const rows = await this.sql.query<{ objectId: string }>(
      `select given.object_id as "objectId" from unnest($1::uuid[], $2::uuid[]) as given (account_id, object_id)
       join account on account.id = given.account_id
       where not exists (select from file where file.object_id = given.object_id)`,
      [named.map(({ accountId }) => accountId), named.map(({ objectId }) => objectId)],
    );
    const orphans = new Set(rows.map(({ objectId }) => objectId));
    return named.filter(({ objectId }) => orphans.has(objectId!)).map(({ key }) => key);
  }

  async #round(): Promise<void> {
    try {
      const { objects, unfinished } = await this.sweep();
      if (objects + unfinished > 0)
        this.#log.warn(`Removed ${objects} files without a record and ${unfinished} unfinished uploads`);
    } catch (error) {
      this.#log.warn(`The sweep of files was put off: ${(error as Error).message}`);
    }
  }
}
