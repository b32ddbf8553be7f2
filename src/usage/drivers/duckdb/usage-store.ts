import { DuckDBInstance, type DuckDBConnection, type DuckDBValue } from '@duckdb/node-api';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AnalyticsPlan, AnalyticsResult, PlannedFilter } from '../../analytics-query.js';
import { spanSql } from '../../query/filter-sql.js';
import { readFirstPartFirst } from '../../query/first-part.js';
import { planSql } from '../../query/plan-sql.js';
import type { CodeSpan, KnownSpans, Statement } from '../../query/statement.js';
import { wordRows } from '../../query/word-rows.js';
import { DUCKDB } from './duckdb.dialect.js';
import type { Position } from './position.js';
import {
  ADD_FRESH,
  ADD_TO_ROLLUPS,
  CALLS_BY_HOUR,
  CREATE_STORE,
  fedRows,
  FRESH,
  LAY_OUT,
  NOTE_SLICE,
  ROLLUPS,
  SLICE,
  STORE_VERSION,
} from './store-schema.js';
import type { TextSource } from './text-source.js';
import { addTexts } from './texts.js';

const INTERRUPT_EVERY_MS = 50;
const HOUR_MS = 3_600_000;

export interface StoreOptions {
  /** A folder of its own. */
  readonly folder: string;
  readonly threads: number;
  readonly memoryMb: number;
}

/** The columnar copy of the usage records: one file, written by one connection, read by others. */
export class UsageStore {
  readonly #idle: DuckDBConnection[] = [];

  private constructor(
    private readonly instance: DuckDBInstance,
    private readonly writer: DuckDBConnection,
    private readonly batchFile: string,
  ) {}

  /** Opens the store, or makes an empty one where there is none, where it is of another version, or where it cannot be read. */
  static async open(options: StoreOptions): Promise<UsageStore> {
    await mkdir(options.folder, { recursive: true, mode: 0o700 });
    const known = await UsageStore.#connect(options).catch((error: Error) => {
      // Another process has it, such as the one before that is still ending: it is not ours to remove.
      if (/lock/i.test(error.message)) throw error;
      return undefined;
    });
    if (known && (await known.#isCurrent())) return known;
    known?.close();
    await UsageStore.remove(options.folder);
    await mkdir(options.folder, { recursive: true, mode: 0o700 });
    const store = await UsageStore.#connect(options);
    await store.#transaction(async () => {
      await store.writer.run(CREATE_STORE);
    });
    return store;
  }

  static async remove(folder: string): Promise<void> {
    await rm(folder, { recursive: true, force: true });
  }

  static async #connect({ folder, threads, memoryMb }: StoreOptions): Promise<UsageStore> {
    const instance = await DuckDBInstance.create(join(folder, 'usage.duckdb'), {
      threads: String(threads),
      memory_limit: `${memoryMb}MB`,
      temp_directory: join(folder, 'spill'),
      // The order in which a slice was laid out is what lets its groups be found fast (store-schema.ts).
      preserve_insertion_order: 'true',
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      checkpoint_threshold: '64MB',
      // Groups by numbers of up to so many bits are counted in an array: end users in half the time, latencies in two thirds.
      perfect_ht_threshold: '16',
    });
    const writer = await instance.connect();
    // From here on no statement reaches any file but the batches, nor the network.
    await writer.run(`set allowed_directories = ['${folder.replaceAll("'", "''")}']`);
    await writer.run('set enable_external_access = false');
    return new UsageStore(instance, writer, join(folder, 'batch.csv'));
  }

  async position(): Promise<Position | undefined> {
    const reader = await this.writer.runAndReadAll('select position from progress');
    const [row] = reader.getRowObjects();
    return row ? (JSON.parse(row['position'] as string) as Position) : undefined;
  }

  /** Adds lines of the feed and how far they lead in one transaction: after a crash both are there or neither. */
  async add(csv: string | null, next: Position, texts: TextSource): Promise<void> {
    if (csv !== null) await writeFile(this.batchFile, csv);
    await this.#transaction(async () => {
      if (csv !== null) {
        await this.writer.run(
          `create or replace temp table batch as select * from ${fedRows(this.batchFile.replaceAll("'", "''"))}`,
        );
        await addTexts(this.writer, texts);
        await this.writer.run(FRESH);
        await this.writer.run(ADD_FRESH);
        await this.writer.run(NOTE_SLICE);
        for (const add of ADD_TO_ROLLUPS) await this.writer.run(add);
      }
      await this.writer.run('delete from progress');
      await this.writer.run('insert into progress values ($1, $2)', [STORE_VERSION, JSON.stringify(next)]);
    });
  }

  /** Forgets calls before a moment on a whole hour. */
  async removeBefore(ms: number): Promise<void> {
    await this.#transaction(async () => {
      await this.writer.run('delete from generation where created_ms < $1', [BigInt(ms)]);
      for (const { table } of ROLLUPS)
        await this.writer.run(`delete from ${table} where hour < cast($1 as int)`, [Math.floor(ms / HOUR_MS)]);
    });
  }

  /** Lays calls of closed hours out as a whole copy has them, a slice at a time. Answers how many it moved. */
  async layOut(before: number, slice = SLICE): Promise<number> {
    const [layout] = (await this.writer.runAndReadAll('select laid_out_to from layout')).getRowObjectsJS();
    const from = layout!['laid_out_to'] as bigint;
    const reader = await this.writer.runAndReadAll(CALLS_BY_HOUR, [from, BigInt(before)]);
    let calls = 0;
    const last = reader.getRowObjectsJS().find((row) => (calls += row['calls'] as number) >= slice);
    if (!last) return 0;
    const to = BigInt(((last['hour'] as number) + 1) * HOUR_MS);
    await this.#transaction(async () => {
      for (const statement of LAY_OUT) await this.writer.run(statement, statement.includes('$1') ? [from, to] : []);
      await this.writer.run('update layout set laid_out_to = $1', [to]);
    });
    await this.writer.run('drop table slice');
    return calls;
  }

  /** For the reads that begin from now on. */
  async setThreads(threads: number): Promise<void> {
    const connection = await this.#take();
    await connection.run(`set threads = ${threads}`);
    this.#idle.push(connection);
  }

  async read(plan: AnalyticsPlan, signal: AbortSignal): Promise<AnalyticsResult> {
    signal.throwIfAborted();
    const connection = await this.#take();
    const lookups = plan.filters.flatMap((filter) => lookupOf(filter) ?? []);
    let again: NodeJS.Timeout | undefined;
    // One that arrives before the query has begun in its thread is lost.
    const interrupt = (): void => {
      connection.interrupt();
      again = setInterval(() => connection.interrupt(), INTERRUPT_EVERY_MS);
    };
    signal.addEventListener('abort', interrupt, { once: true });
    try {
      signal.throwIfAborted();
      // Of one moment, however many statements it takes: a text that comes between them would be in some and not in others.
      if (lookups.length > 0) await connection.run('begin read only');
      const spans = await spansOf(lookups, connection);
      return await readFirstPartFirst(plan, async (part) => {
        const { text, values } = planSql(part, DUCKDB, spans);
        signal.throwIfAborted();
        const reader = await connection.runAndReadAll(text, values as DuckDBValue[]);
        return wordRows(part, reader.getColumnsObjectJS(), reader.currentRowCount);
      });
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener('abort', interrupt);
      clearInterval(again);
      await this.#giveBack(connection, lookups.length > 0);
    }
  }

  async #take(): Promise<DuckDBConnection> {
    return this.#idle.pop() ?? (await this.instance.connect());
  }

  async #giveBack(connection: DuckDBConnection, inTransaction: boolean): Promise<void> {
    try {
      if (inTransaction) await connection.run('rollback');
      this.#idle.push(connection);
    } catch {
      // An interrupt that came late ended the rollback instead of the query.
      connection.closeSync();
    }
  }

  close(): void {
    for (const connection of [this.writer, ...this.#idle]) connection.closeSync();
    this.instance.closeSync();
  }

  async #isCurrent(): Promise<boolean> {
    const reader = await this.writer.runAndReadAll('select version from progress').catch(() => undefined);
    // Without a position nothing was copied yet: as good as new.
    return reader !== undefined && reader.getRowObjects().every((row) => row['version'] === STORE_VERSION);
  }

  async #transaction(work: () => Promise<void>): Promise<void> {
    await this.writer.run('begin');
    try {
      await work();
      await this.writer.run('commit');
    } catch (error) {
      await this.writer.run('rollback').catch(() => undefined);
      throw error;
    }
  }
}

/** A filter over texts, and the statement that finds the codes that pass it. */
interface Lookup {
  readonly filter: PlannedFilter;
  readonly statement: Statement;
}

function lookupOf(filter: PlannedFilter): Lookup | undefined {
  const statement = spanSql(filter, DUCKDB);
  return statement && { filter, statement };
}

async function spansOf(lookups: readonly Lookup[], connection: DuckDBConnection): Promise<KnownSpans> {
  const spans = new Map<PlannedFilter, CodeSpan>();
  for (const { filter, statement } of lookups) {
    const reader = await connection.runAndReadAll(statement.text, statement.values as DuckDBValue[]);
    const [row] = reader.getRowObjectsJS();
    spans.set(filter, {
      first: row!['first'] as number | null,
      last: row!['last'] as number | null,
      codes: Number(row!['codes']),
    });
  }
  return spans;
}
