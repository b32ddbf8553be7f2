import {
  DuckDBInstance,
  JSDuckDBValueConverter,
  type DuckDBConnection,
  type DuckDBDataChunk,
  type DuckDBValue,
} from '@duckdb/node-api';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AnalyticsPlan, AnalyticsResult } from '../../analytics-query.js';
import type { CallListPlan, ListedCall } from '../../call-list.js';
import { callListSql, newestCallsSql } from '../../query/call-list-sql.js';
import { readNewestFirst } from '../../query/newest-first.js';
import { readFirstPartFirst } from '../../query/first-part.js';
import { planSql } from '../../query/plan-sql.js';
import { RowsText, type StoreColumns } from '../../query/rows-text.js';
import type { Statement } from '../../query/statement.js';
import { DUCKDB } from './duckdb.dialect.js';
import type { Position } from '../../feed/position.js';
import { withTexts } from './listed-texts.js';
import { ReadConnections } from './read-connections.js';
import {
  ADD_FRESH,
  ADD_TO_ROLLUPS,
  CALLS_BY_HOUR,
  CREATE_STORE,
  fedRows,
  FRESH,
  LAY_OUT,
  NOTE_SLICE,
  RENAME_KEYS,
  ROLLUPS,
  SLICE,
  STORE_VERSION,
} from './store-schema.js';
import { lookupsOf, spansOf } from './text-lookups.js';
import type { KeyText, TextSource } from './text-source.js';
import { addTexts } from './texts.js';

const HOUR_MS = 3_600_000;

interface StoreOptions {
  /** A folder for this store only. */
  readonly folder: string;
  readonly threads: number;
  readonly memoryMb: number;
}

/** The columnar copy of the usage records: one file, one connection that writes and several connections that read. */
export class UsageStore {
  readonly #readers: ReadConnections;

  private constructor(
    private readonly instance: DuckDBInstance,
    private readonly writer: DuckDBConnection,
    private readonly batchFile: string,
  ) {
    this.#readers = new ReadConnections(instance);
  }

  /**
   * Opens the store. Creates an empty store if the file is missing, has another version or cannot be read. Throws if
   * another process has locked the file.
   */
  static async open(options: StoreOptions): Promise<UsageStore> {
    await mkdir(options.folder, { recursive: true, mode: 0o700 });
    const known = await UsageStore.#connect(options).catch((error: Error) => {
      // Do not remove a file that another process has locked, such as a predecessor that is exiting. Messages about
      // corrupt files contain "block", which the pattern must not match.
      if (/\block\b/i.test(error.message)) throw error;
      return undefined;
    });
    if (known && (await known.#isCurrent())) return known;
    known?.close();
    await UsageStore.remove(options.folder);
    await mkdir(options.folder, { recursive: true, mode: 0o700 });
    const store = await UsageStore.#connect(options);
    await store.#transaction(() => store.writer.run(CREATE_STORE));
    return store;
  }

  static remove(folder: string): Promise<void> {
    return rm(folder, { recursive: true, force: true });
  }

  static async #connect({ folder, threads, memoryMb }: StoreOptions): Promise<UsageStore> {
    const instance = await DuckDBInstance.create(join(folder, 'usage.duckdb'), {
      threads: String(threads),
      memory_limit: `${memoryMb}MB`,
      temp_directory: join(folder, 'spill'),
      // The order of the calls in a slice makes grouping fast (store-schema.ts).
      preserve_insertion_order: 'true',
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      checkpoint_threshold: '64MB',
      // Groups by integers of up to this many bits are counted in an array instead of a hash table. End users then take
      // half the time, and latencies two thirds.
      perfect_ht_threshold: '16',
    });
    const writer = await instance.connect();
    // From now on, statements can access only the files in this folder, and no network.
    await writer.run(`set allowed_directories = ['${folder.replaceAll("'", "''")}']`);
    await writer.run('set enable_external_access = false');
    return new UsageStore(instance, writer, join(folder, 'batch.csv'));
  }

  async position(): Promise<Position | undefined> {
    const reader = await this.writer.runAndReadAll('select position from progress');
    const [row] = reader.getRowObjects();
    return row ? (JSON.parse(row['position'] as string) as Position) : undefined;
  }

  /** Adds CSV lines and the position after them in one transaction. */
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

  /** Deletes calls before the start of a day. `ms`: the start in milliseconds since 1970. */
  async removeBefore(ms: number): Promise<void> {
    await this.#transaction(async () => {
      await this.writer.run('delete from generation where created_ms < $1', [BigInt(ms)]);
      for (const { table } of ROLLUPS)
        await this.writer.run(`delete from ${table} where hour < cast($1 as int)`, [Math.floor(ms / HOUR_MS)]);
    });
  }

  /**
   * Sorts one slice of calls before `before` (Unix milliseconds), in whole hours, into slice order. Returns the number
   * of sorted calls; 0 if there is no complete slice.
   */
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

  /** Sets the number of threads for reads that begin from now on. */
  setThreads(threads: number): Promise<void> {
    return this.#readers.setThreads(threads);
  }

  /** Replaces the hashes of keys whose secrets were rotated. */
  async replaceKeyHashes(keys: readonly Pick<KeyText, 'no' | 'hash'>[]): Promise<void> {
    await this.writer.run(RENAME_KEYS, [JSON.stringify(keys.map(({ no, hash }) => [no, hash]))]);
  }

  async read(plan: AnalyticsPlan, signal: AbortSignal): Promise<AnalyticsResult> {
    const lookups = lookupsOf(plan.filters);
    return this.#readers.run(signal, lookups.length > 0, async (connection) => {
      const spans = await spansOf(lookups, connection);
      return readFirstPartFirst(plan, async (part) => {
        const { text, values } = planSql(part, DUCKDB, spans);
        signal.throwIfAborted();
        const result = await connection.run(text, values as DuckDBValue[]);
        const names = result.columnNames();
        const rows = new RowsText(part);
        for await (const chunk of result) {
          signal.throwIfAborted();
          rows.add(columnsOf(chunk, names), chunk.rowCount);
        }
        return rows.result();
      });
    });
  }

  list(plan: CallListPlan, signal: AbortSignal): Promise<readonly ListedCall[]> {
    const lookups = lookupsOf(plan.filters);
    return this.#readers.run(signal, true, async (connection) => {
      const spans = await spansOf(lookups, connection);
      const rowsOf = async ({ text, values }: Statement): Promise<Record<string, unknown>[]> => {
        signal.throwIfAborted();
        return (await connection.runAndReadAll(text, values as DuckDBValue[])).getRowObjectsJS();
      };
      return readNewestFirst(plan, {
        find: async (part) => (await rowsOf(newestCallsSql(part, DUCKDB, spans)))[0] as never,
        read: async (part) => withTexts((await rowsOf(callListSql(part, DUCKDB, spans))) as never, connection),
      });
    });
  }

  close(): void {
    this.writer.closeSync();
    this.#readers.close();
    this.instance.closeSync();
  }

  async #isCurrent(): Promise<boolean> {
    const reader = await this.writer.runAndReadAll('select version from progress').catch(() => undefined);
    // A store without a position is current, because nothing has been copied into it yet.
    return reader !== undefined && reader.getRowObjects().every((row) => row['version'] === STORE_VERSION);
  }

  async #transaction(work: () => Promise<unknown>): Promise<void> {
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

const columnsOf = (chunk: DuckDBDataChunk, names: readonly string[]): StoreColumns =>
  Object.fromEntries(names.map((name, index) => [name, chunk.convertColumnValues(index, JSDuckDBValueConverter)]));
