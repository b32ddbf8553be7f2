import { Injectable, Logger } from '@nestjs/common';
import { Config } from '../../../config/config.js';
import { DatabaseUrls } from '../../../database/database-urls.js';
import { Sql } from '../../../database/sql.js';
import { outsideRequests } from '../../../kernel/request-scope.js';
import type { UsageReader } from '../../query/usage-reader.port.js';
import { ClickHouseFeedProcess } from './clickhouse-feed-process.js';
import { ClickHouseUsageReader } from './clickhouse-usage-reader.driver.js';
import { readFeedProgress, type FeedProgress } from './feed-lease.js';
import { clickHouseAddress, HttpClickHouseConnection } from './http-clickhouse-connection.js';

/** The copy of the usage records in ClickHouse, which all replicas share. It exists if CLICKHOUSE_URL is set. */
@Injectable()
export class ClickHouseCopy {
  readonly #connection: HttpClickHouseConnection | undefined;
  readonly #feed: ClickHouseFeedProcess | undefined;

  constructor(
    private readonly config: Config,
    private readonly sql: Sql,
    urls: DatabaseUrls,
  ) {
    const { CLICKHOUSE_URL, CLICKHOUSE_CLUSTER, USAGE_RETENTION_DAYS } = config.values;
    if (CLICKHOUSE_URL === undefined) return;
    const address = clickHouseAddress(CLICKHOUSE_URL);
    this.#connection = new HttpClickHouseConnection(address);
    this.#feed = new ClickHouseFeedProcess(
      {
        databaseUrl: urls.url,
        pooled: urls.isPooled,
        address,
        cluster: CLICKHOUSE_CLUSTER,
        retentionDays: USAGE_RETENTION_DAYS ?? null,
      },
      (message) => outsideRequests(() => new Logger('analytics').warn(message)),
    );
  }

  get isConfigured(): boolean {
    return this.#connection !== undefined;
  }

  /** `records` is read while ClickHouse is being filled. */
  reader(records: UsageReader): UsageReader {
    const { ANALYTICS_TIMEOUT_MS: timeoutMs, ANALYTICS_MEMORY_MB: memoryMb } = this.config.values;
    return new ClickHouseUsageReader(this.#connection!, this.sql, records, { timeoutMs, memoryMb });
  }

  progress(): Promise<FeedProgress> {
    return readFeedProgress(this.sql);
  }

  /**
   * Starts the process that feeds ClickHouse. The process waits while the process of another replica feeds ClickHouse.
   * Returns at once.
   */
  start(): void {
    this.#feed?.start();
  }

  async stop(): Promise<void> {
    await this.#feed?.stop();
    await this.#connection?.close();
  }
}
