import { Inject, Logger, Module, type OnApplicationShutdown } from '@nestjs/common';
import { join } from 'node:path';
import { Config } from '../config/config.js';
import { DatabaseUrls } from '../database/database-urls.js';
import { Sql } from '../database/sql.js';
import { outsideRequests } from '../kernel/request-scope.js';
import { Activity } from './activity.js';
import { Analytics } from './analytics.js';
import { AnalyticsCopy } from './analytics-copy.js';
import { BoundedReads } from './query/bounded-reads.js';
import { CallLists } from './call-lists.js';
import { DuckDbUsageReader } from './drivers/duckdb/duckdb-usage-reader.driver.js';
import { FollowerProcess } from './drivers/duckdb/follower-process.js';
import { PostgresUsageReader } from './drivers/postgres/postgres-usage-reader.driver.js';
import { GenerationContents } from './generation-contents.js';
import { Generations } from './generations.js';
import { ModelTrafficSource } from './traffic/model-traffic.port.js';
import { Partitions } from './partitions.js';
import { PostgresModelTrafficDriver } from './traffic/postgres-model-traffic.driver.js';
import { SyntheticUsage } from './synthetic-usage.js';
import { ModelTrafficCache } from './model-traffic-cache.js';
import { UsageEpoch } from './usage-epoch.js';
import { UsageLabels } from './usage-labels.js';
import { UsageReader } from './query/usage-reader.port.js';
import { ClickHouseCopy } from './drivers/clickhouse/clickhouse-copy.js';
import { OperatorReport } from './usage-report.js';

/** The folder of the columnar store in DATA_DIR. */
const FOLDER = 'analytics';
/**
 * Timeout for starting a read of the records, as a share of DATABASE_TIMEOUT_MS. It is short, because the columnar
 * store is tried first.
 */
const BEGIN_TIMEOUT_SHARE = 0.3;
/** Time for a read to end after it was cancelled at the server. */
const CANCEL_TIMEOUT_MS = 1_000;
/** A pool for long reads, separate from the ledger's. */
const READING_SQL = Symbol('connections for long reads');

/** Usage: the immutable records of calls, and queries over them. */
@Module({
  providers: [
    Activity,
    Analytics,
    AnalyticsCopy,
    BoundedReads,
    CallLists,
    GenerationContents,
    Generations,
    Partitions,
    SyntheticUsage,
    ModelTrafficCache,
    UsageEpoch,
    UsageLabels,
    OperatorReport,
    { provide: ModelTrafficSource, useClass: PostgresModelTrafficDriver },
    {
      provide: READING_SQL,
      inject: [DatabaseUrls, Config],
      // +1: pg_cancel_backend needs a separate connection.
      useFactory: (urls: DatabaseUrls, config: Config) =>
        new Sql(urls.readUrl, config.values.ANALYTICS_CONCURRENCY + 1, {
          timeoutMs: config.values.DATABASE_TIMEOUT_MS * BEGIN_TIMEOUT_SHARE,
          // The address of a standby may belong to a pooler.
          pooled: urls.isPooled || urls.hasReadUrl,
        }),
    },
    ClickHouseCopy,
    {
      provide: FollowerProcess,
      inject: [DatabaseUrls, Config],
      useFactory: (urls: DatabaseUrls, { values }: Config) =>
        new FollowerProcess(
          {
            databaseUrl: urls.url,
            pooled: urls.isPooled,
            folder: join(values.DATA_DIR, FOLDER),
            threads: values.ANALYTICS_THREADS,
            memoryMb: values.ANALYTICS_MEMORY_MB,
            retentionDays: values.USAGE_RETENTION_DAYS ?? null,
          },
          // Log messages do not belong to a request, even if a query started the process.
          (message) => outsideRequests(() => new Logger('analytics').warn(message)),
        ),
    },
    {
      provide: UsageReader,
      inject: [Config, READING_SQL, FollowerProcess, ClickHouseCopy],
      useFactory: ({ values }: Config, sql: Sql, follower: FollowerProcess, copy: ClickHouseCopy): UsageReader => {
        const records = new PostgresUsageReader(sql, values.ANALYTICS_TIMEOUT_MS + CANCEL_TIMEOUT_MS);
        if (copy.isConfigured) return copy.reader(records);
        return values.ANALYTICS_STORE === 'postgres' ? records : new DuckDbUsageReader(follower, records);
      },
    },
  ],
  exports: [
    FollowerProcess,
    ClickHouseCopy,
    Activity,
    Analytics,
    AnalyticsCopy,
    CallLists,
    GenerationContents,
    Generations,
    SyntheticUsage,
    ModelTrafficCache,
    UsageEpoch,
    UsageLabels,
    OperatorReport,
  ],
})
export class UsageModule implements OnApplicationShutdown {
  constructor(
    @Inject(READING_SQL) private readonly readingSql: Sql,
    private readonly follower: FollowerProcess,
    private readonly copy: ClickHouseCopy,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await this.follower.stop();
    await this.copy.stop();
    await this.readingSql.close();
  }
}
