import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Config } from '../config/config.js';
import { ProcessRole } from '../config/process-role.js';
import { Sql } from '../database/sql.js';
import { Clock } from '../kernel/clock.js';
import { Periodic } from '../kernel/scheduling/periodic.js';
import { ObjectStore } from '../storage/object-store.port.js';
import { fileOfObjectKey } from './file-bytes.js';

const SWEEP_EVERY_MS = 3_600_000;
const BATCH_SIZE = 500;

/** The number of objects that a sweep deleted. */
interface Swept {
  /** Complete objects without a row. */
  readonly objects: number;
  /** Unfinished uploads. */
  readonly unfinished: number;
}

/** Deletes objects without a row: remains of processes that were killed, or of deletions that the store refused. */
@Injectable()
export class FileSweeper implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger(FileSweeper.name);
  readonly #rounds = new Periodic(
    () => this.#round(),
    (error) => this.#log.warn(`The sweep of files failed and will be retried: ${error.message}`),
  );

  constructor(
    private readonly store: ObjectStore,
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly role: ProcessRole = new ProcessRole(),
  ) {}

  onApplicationBootstrap(): void {
    if (this.role.isWorker) return;
    this.#rounds.start(SWEEP_EVERY_MS);
  }

  async onModuleDestroy(): Promise<void> {
    await this.#rounds.stop();
  }

  /** The time FILE_SWEEP_AFTER_MS ago. Newer objects may belong to an upload in progress. */
  defaultCutoff(): Date {
    return new Date(this.clock.now().getTime() - this.config.values.FILE_SWEEP_AFTER_MS);
  }

  /** Deletes the objects without a row and the unfinished uploads that were last written before `before`. */
  async sweep(before: Date = this.defaultCutoff()): Promise<Swept> {
    const unfinished = await this.store.discardUnfinished(before);
    let objects = 0;
    for await (const key of this.orphans(before)) {
      await this.store.delete(key);
      objects++;
    }
    return { objects, unfinished };
  }

  /**
   * Yields the keys of objects that were last written before `before` and have no row. Skips objects of accounts that
   * are not in the database.
   */
  async *orphans(before: Date): AsyncGenerator<string> {
    let batch: string[] = [];
    for await (const { key, storedAt } of this.store.list()) {
      if (storedAt >= before) continue;
      batch.push(key);
      if (batch.length < BATCH_SIZE) continue;
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
    const { objects, unfinished } = await this.sweep();
    if (objects + unfinished > 0)
      this.#log.warn(`Removed ${objects} files without a record and ${unfinished} unfinished uploads`);
  }
}
