import { Module, type DynamicModule, type FactoryProvider, type OnApplicationBootstrap } from '@nestjs/common';
import { existsSync } from 'node:fs';
import { Config } from '../config/config.js';
import { TelemetryModule } from '../telemetry/telemetry.module.js';
import { ClickHouseCopy } from './drivers/clickhouse/clickhouse-copy.js';
import { FollowerProcess } from './drivers/duckdb/follower-process.js';
import { GenerationExport } from './export/generation-export.js';
import { OutboxSweeper } from './outbox/outbox-sweeper.js';
import { ProviderNames } from './provider-names.port.js';
import { UsageTotals } from './totals/usage-totals.js';
import { UsageMetrics } from './totals/usage-metrics.js';
import { UsageModule } from './usage.module.js';

type Names = Omit<FactoryProvider<ProviderNames>, 'provide'> & Pick<DynamicModule, 'imports'>;

/** Background jobs of a running service on its usage records, and their metrics; operator commands do not run them. */
@Module({})
export class UsageJobsModule implements OnApplicationBootstrap {
  constructor(
    private readonly follower: FollowerProcess,
    private readonly copy: ClickHouseCopy,
    private readonly config: Config,
  ) {}

  static register({ imports = [], ...names }: Names): DynamicModule {
    return {
      module: UsageJobsModule,
      imports: [...imports, TelemetryModule, UsageModule],
      providers: [GenerationExport, OutboxSweeper, UsageMetrics, UsageTotals, { ...names, provide: ProviderNames }],
    };
  }

  /**
   * Starts the feed of ClickHouse, or resumes an existing store of DuckDB. A missing store is created by the first
   * query.
   */
  onApplicationBootstrap(): void {
    if (this.copy.isConfigured) this.copy.start();
    else if (this.config.values.ANALYTICS_STORE === 'duckdb' && existsSync(this.follower.options.folder))
      this.follower.start();
  }
}
