import { Logger } from '@nestjs/common';
import type { Sql } from '../../../database/sql.js';
import { GatewayError, reasonOf } from '../../../kernel/errors/errors.js';
import type { AnalyticsPlan, AnalyticsResult } from '../../analytics-query.js';
import type { CallListPlan, ListedCall, StoredCalls } from '../../call-list.js';
import { CopyAbsent, CopyReader, OUT_OF_MEMORY, STILL_FILLING, withLagWarning } from '../../query/copy-reader.js';
import { callListSql } from '../../query/call-list-sql.js';
import { planSql } from '../../query/plan-sql.js';
import { RowsText, type StoreColumns } from '../../query/rows-text.js';
import type { Statement } from '../../query/statement.js';
import type { UsageReader } from '../../query/usage-reader.port.js';
import {
  ClickHouseFault,
  type ClickHouseConnection,
  type RowPage,
  type StatementSettings,
} from './clickhouse-connection.js';
import { CLICKHOUSE, KEY_HASHES } from './clickhouse.dialect.js';
import { readFeedProgress, type FeedProgress } from './feed-lease.js';

/** A frozen server is detected within this time, not only at the deadline of a query. */
const CHECK_TIMEOUT_MS = 2_000;
/** How long the result of a check is used. */
const CHECK_VALID_MS = 1_000;
/** If a cancellation is lost, the server ends the statement this long after its deadline. */
const CANCEL_TIMEOUT_MS = 1_000;
/** On a cluster, a replica that lags by more than this many seconds is read only if all replicas of its shard lag. */
export const REPLICA_LAG: StatementSettings = { max_replica_delay_for_distributed_queries: 5 };
/** ClickHouse's error code for a statement that needs too much memory. Other statements still work. */
const MEMORY_LIMIT_EXCEEDED = 241;
const RETRY_AFTER_SECONDS = '2';
const MEGABYTE = 1_000_000;

export interface ReadLimits {
  readonly timeoutMs: number;
  readonly memoryMb: number;
}

/** Reads the copy in ClickHouse. Throws unavailable if ClickHouse does not respond. */
export class ClickHouseUsageReader extends CopyReader {
  readonly #log = new Logger('analytics');
  readonly #settings: StatementSettings;
  #check: { readonly at: number; readonly passed: Promise<void> } | undefined;

  constructor(
    private readonly connection: ClickHouseConnection,
    private readonly sql: Sql,
    records: UsageReader,
    { timeoutMs, memoryMb }: ReadLimits,
  ) {
    super(records);
    this.#settings = {
      // Statements cannot write, but can change settings.
      readonly: '2',
      max_execution_time: Math.ceil((timeoutMs + CANCEL_TIMEOUT_MS) / 1_000),
      max_memory_usage: memoryMb * MEGABYTE,
      max_bytes_before_external_group_by: (memoryMb * MEGABYTE) / 2,
      max_bytes_before_external_sort: (memoryMb * MEGABYTE) / 2,
      cancel_http_readonly_queries_on_client_close: 1,
      ...REPLICA_LAG,
      join_use_nulls: 1,
      output_format_json_quote_64bit_integers: 0,
    };
  }

  protected async readCopy(plan: AnalyticsPlan, signal: AbortSignal): Promise<AnalyticsResult> {
    const { behindMs } = await this.#progress(signal);
    return withLagWarning(await this.#fromClickHouse(() => this.#measure(plan, signal)), behindMs ?? 0);
  }

  protected async listCopy(plan: CallListPlan, signal: AbortSignal): Promise<StoredCalls> {
    const { completeTo } = await this.#progress(signal);
    if (completeTo === null) throw new CopyAbsent(STILL_FILLING);
    const rows = await this.#fromClickHouse(async () => {
      const listed: ListedCall[] = [];
      for await (const page of this.#rows(callListSql(plan, CLICKHOUSE), signal)) listed.push(...objectsOf(page));
      return listed;
    });
    return { rows, asOf: completeTo };
  }

  async #measure(plan: AnalyticsPlan, signal: AbortSignal): Promise<AnalyticsResult> {
    const statement = await this.#withKeyHashes(planSql(plan, CLICKHOUSE), plan.accountNo);
    const text = new RowsText(plan);
    for await (const page of this.#rows(statement, signal)) text.add(columnsOf(page), page.rows.length);
    return text.result();
  }

  #rows(statement: Statement, signal: AbortSignal): AsyncIterable<RowPage> {
    return this.connection.rows(statement, { signal, settings: this.#settings });
  }

  /**
   * Adds the hashes of keys as parameters, if the statement needs them. ClickHouse does not store hashes, because they
   * change when keys are rotated.
   */
  async #withKeyHashes({ text, values }: Statement, accountNo: number): Promise<Statement> {
    if (!text.includes(KEY_HASHES)) return { text, values };
    const keys = await this.sql.query<{ no: number; hash: string }>(
      `select k.no, k.hash::text as hash from api_key k join account a on a.id = k.account_id where a.no = $1
       order by k.no`,
      [accountNo],
    );
    const [nos, hashes] = [values.length + 1, values.length + 2];
    const pairs = `arrayZip(cast($${nos} as Array(Int32)), cast($${hashes} as Array(String)))`;
    return {
      text:
        `with ${KEY_HASHES} as (select pair.1 as no, pair.2 as hash from (select arrayJoin(${pairs}) as pair)) ` + text,
      values: [...values, keys.map(({ no }) => String(no)), keys.map(({ hash }) => hash)],
    };
  }

  /**
   * Checks that ClickHouse responds, and reads the progress of the copy. Throws CopyAbsent while the copy is being
   * filled.
   */
  async #progress(signal: AbortSignal): Promise<FeedProgress> {
    signal.throwIfAborted();
    const [progress] = await Promise.all([readFeedProgress(this.sql), this.#requireResponse()]);
    signal.throwIfAborted();
    if (progress.phase !== 'following') throw new CopyAbsent(STILL_FILLING);
    return progress;
  }

  /** Throws unavailable if ClickHouse does not respond. Queries within CHECK_VALID_MS share a check. */
  async #requireResponse(): Promise<void> {
    const now = performance.now();
    if (!this.#check || now - this.#check.at > CHECK_VALID_MS)
      this.#check = {
        at: now,
        passed: this.connection.run('select 1', { signal: AbortSignal.timeout(CHECK_TIMEOUT_MS) }),
      };
    try {
      await this.#check.passed;
    } catch (error) {
      this.#check = undefined;
      throw this.#unavailable(error);
    }
  }

  async #fromClickHouse<T>(read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof ClickHouseFault)) throw error;
      if (error.code === MEMORY_LIMIT_EXCEEDED) throw new CopyAbsent(OUT_OF_MEMORY, { cause: error });
      throw this.#unavailable(error);
    }
  }

  #unavailable(cause: unknown): GatewayError {
    this.#log.warn(`ClickHouse does not respond: ${reasonOf(cause)}`);
    return new GatewayError('unavailable', 'The analytics store is not available. Try again in a moment.', {
      headers: { 'Retry-After': RETRY_AFTER_SECONDS },
      cause,
    });
  }
}

const columnsOf = ({ names, rows }: RowPage): StoreColumns =>
  Object.fromEntries(names.map((name, index) => [name, rows.map((row) => row[index])]));

const objectsOf = ({ names, rows }: RowPage): ListedCall[] =>
  rows.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index]])) as unknown as ListedCall);
