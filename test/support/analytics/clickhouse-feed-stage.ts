import { Sql } from '../../../src/database/sql.js';
import { ClickHouseFeed } from '../../../src/usage/drivers/clickhouse/clickhouse-feed.js';
import { ClickHouseFeedProcess } from '../../../src/usage/drivers/clickhouse/clickhouse-feed-process.js';
import {
  clickHouseAddress,
  HttpClickHouseConnection,
} from '../../../src/usage/drivers/clickhouse/http-clickhouse-connection.js';
import { createTestDatabase, type TestDatabase } from '../database/test-database.js';
import { expectCallsFed } from './calls-fed.js';
import { addAccounts } from './sample-accounts.js';
import { sampleCalls, writeCalls, type SampleCall, type UsageSample } from './usage-sample.js';

const FIRST_CALLS = 500;
const TRANSACTION_CALLS = 50;
/** Enough calls for all kills of a long run. */
const MAX_CALLS = 30_000;

/** A database with calls, and writers that copy them to ClickHouse. */
export class ClickHouseFeedStage {
  readonly connection: HttpClickHouseConnection;
  /** What the writers in this process reported. */
  readonly reports: string[] = [];
  #written = 0;
  readonly #writers: { readonly stop: () => Promise<void> }[] = [];

  private constructor(
    private readonly database: TestDatabase,
    readonly sql: Sql,
    readonly sample: UsageSample,
    private readonly url: string,
    private readonly cluster: string | undefined,
  ) {
    this.connection = this.#connect();
  }

  /** Starts with calls that are no longer in the outbox. */
  static async start(url: string, cluster?: string): Promise<ClickHouseFeedStage> {
    const database = await createTestDatabase();
    const sql = new Sql(database.url, 4);
    const sample = sampleCalls(await addAccounts(sql), MAX_CALLS, 5);
    const stage = new ClickHouseFeedStage(database, sql, sample, url, cluster);
    await stage.writeMore(FIRST_CALLS);
    await sql.query('delete from outbox');
    return stage;
  }

  async writeMore(count: number): Promise<readonly SampleCall[]> {
    const calls = this.sample.calls.slice(this.#written, (this.#written += count));
    if (calls.length < count) throw new Error(`the sample has only ${MAX_CALLS} calls`);
    for (let at = 0; at < calls.length; at += TRANSACTION_CALLS)
      await writeCalls(this.sql, calls.slice(at, at + TRANSACTION_CALLS));
    return calls;
  }

  startWriter(retentionDays: number | null = null): void {
    const stopping = new AbortController();
    const options = { databaseUrl: this.database.url, database: 'default', cluster: this.cluster, retentionDays };
    const report = (message: string): void => void this.reports.push(message);
    const running = new ClickHouseFeed(this.#connect(), options, report).run(stopping.signal);
    this.#writers.push({ stop: () => (stopping.abort(), running) });
  }

  startWriterProcess(): ClickHouseFeedProcess {
    const address = clickHouseAddress(this.url);
    const options = { databaseUrl: this.database.url, address, cluster: this.cluster, retentionDays: null };
    const writer = new ClickHouseFeedProcess(options, () => undefined);
    writer.start();
    this.#writers.push({ stop: () => writer.stop() });
    return writer;
  }

  async stopWriters(): Promise<void> {
    for (const { stop } of this.#writers.splice(0)) await stop();
  }

  /** Makes the lease expire immediately. */
  async endLease(): Promise<void> {
    await this.sql.query(`update clickhouse_feed set held_until = '-infinity'`);
  }

  async state(): Promise<{ readonly block: number; readonly open: unknown }> {
    const [row] = await this.sql.query<{ state: { block: number; open: unknown } }>(
      'select state from clickhouse_feed',
    );
    return row!.state;
  }

  expectFed(withinMs?: number): Promise<void> {
    return expectCallsFed(this.sql, this.connection, withinMs);
  }

  async stop(): Promise<void> {
    await this.stopWriters();
    await this.connection.close();
    await this.sql.close();
    await this.database.drop();
  }

  #connect(): HttpClickHouseConnection {
    return new HttpClickHouseConnection(clickHouseAddress(this.url));
  }
}
