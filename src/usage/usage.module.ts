import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Config } from '../config/config.js';
import { DatabaseUrls } from '../database/database-urls.js';
import { Sql } from '../database/sql.js';
import { Activity } from './activity.js';
import { Analytics } from './analytics.js';
import { PostgresUsageReader } from './drivers/postgres/postgres-usage-reader.driver.js';
import { Generations } from './generations.js';
import { ModelTrafficSource } from './model-traffic.port.js';
import { Partitions } from './partitions.js';
import { PostgresModelTrafficDriver } from './postgres-model-traffic.driver.js';
import { TrafficFigures } from './traffic-figures.js';
import { UsageLabels } from './usage-labels.js';
import { UsageReader } from './usage-reader.port.js';

/** Connections for long reads, apart from those of the ledger. */
const READING_SQL = Symbol('connections for long reads');

/** What was used: the immutable records of calls, and queries over them. */
@Module({
  providers: [
    Activity,
    Analytics,
    Generations,
    Partitions,
    TrafficFigures,
    UsageLabels,
    { provide: ModelTrafficSource, useClass: PostgresModelTrafficDriver },
    {
      provide: READING_SQL,
      inject: [DatabaseUrls, Config],
      // One more than read at once, because a read is cancelled over another connection.
      useFactory: (urls: DatabaseUrls, config: Config) => new Sql(urls.url, config.values.ANALYTICS_CONCURRENCY + 1),
    },
    { provide: UsageReader, inject: [READING_SQL], useFactory: (sql: Sql) => new PostgresUsageReader(sql) },
  ],
  exports: [Activity, Analytics, Generations, TrafficFigures, UsageLabels],
})
export class UsageModule implements OnApplicationShutdown {
  constructor(@Inject(READING_SQL) private readonly readingSql: Sql) {}

  async onApplicationShutdown(): Promise<void> {
    await this.readingSql.close();
  }
}
