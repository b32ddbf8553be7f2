import { Inject, Logger, Module, type OnApplicationShutdown } from '@nestjs/common';
import { join } from 'node:path';
import { Config } from '../config/config.js';
import { DatabaseUrls } from '../database/database-urls.js';
import { Sql } from '../database/sql.js';
import { Activity } from './activity.js';
import { Analytics } from './analytics.js';
import { DuckDbUsageReader } from './drivers/duckdb/duckdb-usage-reader.driver.js';
import { FollowerProcess } from './drivers/duckdb/follower-process.js';
import { PostgresUsageReader } from './drivers/postgres/postgres-usage-reader.driver.js';
import { Generations } from './generations.js';
import { ModelTrafficSource } from './model-traffic.port.js';
import { Partitions } from './partitions.js';
import { PostgresModelTrafficDriver } from './postgres-model-traffic.driver.js';
import { SyntheticUsage } from './synthetic-usage.js';
import { TrafficFigures } from './traffic-figures.js';
import { UsageEpoch } from './usage-epoch.js';
import { UsageLabels } from './usage-labels.js';
import { UsageReader } from './usage-reader.port.js';

/** Of the columnar store, in DATA_DIR. */
const FOLDER = 'analytics';
/** Connections for long reads, apart from those of the ledger. */
const READING_SQL = Symbol('connections for long reads');

/** What was used: the immutable records of calls, and queries over them. */
@Module({
  providers: [
    Activity,
    Analytics,
    Generations,
    Partitions,
    SyntheticUsage,
    TrafficFigures,
    UsageEpoch,
    UsageLabels,
    { provide: ModelTrafficSource, useClass: PostgresModelTrafficDriver },
    {
      provide: READING_SQL,
      inject: [DatabaseUrls, Config],
      // One more than read at once, because a read is cancelled over another connection.
      useFactory: (urls: DatabaseUrls, config: Config) => new Sql(urls.url, config.values.ANALYTICS_CONCURRENCY + 1),
    },
    {
      provide: FollowerProcess,
      inject: [DatabaseUrls, Config],
      useFactory: (urls: DatabaseUrls, { values }: Config) =>
        new FollowerProcess(
          {
            databaseUrl: urls.url,
            folder: join(values.DATA_DIR, FOLDER),
            threads: values.ANALYTICS_THREADS,
            memoryMb: values.ANALYTICS_MEMORY_MB,
            retentionDays: values.USAGE_RETENTION_DAYS ?? null,
          },
          (message) => new Logger('analytics').warn(message),
        ),
    },
    {
      provide: UsageReader,
      inject: [Config, READING_SQL, FollowerProcess],
      useFactory: ({ values }: Config, sql: Sql, follower: FollowerProcess): UsageReader => {
        const records = new PostgresUsageReader(sql);
        return values.ANALYTICS_STORE === 'postgres' ? records : new DuckDbUsageReader(follower, records);
      },
    },
  ],
  exports: [FollowerProcess, Activity, Analytics, Generations, SyntheticUsage, TrafficFigures, UsageEpoch, UsageLabels],
})
export class UsageModule implements OnApplicationShutdown {
  constructor(
    @Inject(READING_SQL) private readonly readingSql: Sql,
    private readonly follower: FollowerProcess,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await this.follower.stop();
    await this.readingSql.close();
  }
}
