import { MikroOrmModule } from '@mikro-orm/nestjs';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';
import {
  type DynamicModule,
  Global,
  Inject,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Config } from '../config/config.js';
import { TelemetryModule } from '../telemetry/telemetry.module.js';
import { DatabaseUrls } from './database-urls.js';
import { DatabaseWatch } from './connections/database-watch.js';
import { Notifications } from './notifications.js';
import { ormOptions } from './orm-options.js';
import { Sql } from './sql.js';
import { DurabilityWatch } from './starting/durability-watch.js';
import { statementTimeoutMs } from './statement-timeout.js';

/** PostgreSQL: entities through MikroORM, plain SQL for the hot tables, and notifications. */
@Global()
@Module({})
export class DatabaseModule implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    @Inject(Sql) private readonly sql: Sql,
    @Inject(Notifications) private readonly notifications: Notifications,
  ) {}

  /** For the service. Every statement has a timeout derived from DATABASE_TIMEOUT_MS. */
  static register(urls: DatabaseUrls): DynamicModule {
    return moduleOf(urls, new DatabaseWatch());
  }

  /**
   * For an operator command. Statements have no timeout, and there are no notifications, because a command has no
   * long-lived cache.
   */
  static registerForCommand(urls: DatabaseUrls): DynamicModule {
    return moduleOf(urls);
  }

  onApplicationBootstrap(): Promise<void> {
    return this.notifications.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.notifications.close();
    await this.sql.close();
  }
}

/** `watch` is undefined for a command. */
function moduleOf(urls: DatabaseUrls, watch?: DatabaseWatch): DynamicModule {
  const isService = watch !== undefined;
  const timeoutOf = (config: Config): number => (isService ? statementTimeoutMs(config) : 0);
  return {
    module: DatabaseModule,
    imports: [
      ...(isService ? [TelemetryModule] : []),
      MikroOrmModule.forRootAsync({
        driver: PostgreSqlDriver,
        inject: [Config],
        useFactory: (config: Config) => ({
          ...ormOptions(urls.url, timeoutOf(config), watch, urls.isPooled),
          registerRequestContext: false,
        }),
      }),
    ],
    providers: [
      ...(isService ? [DurabilityWatch] : []),
      { provide: DatabaseUrls, useValue: urls },
      {
        provide: Sql,
        inject: [Config],
        useFactory: (config: Config) =>
          new Sql(urls.url, undefined, { timeoutMs: timeoutOf(config), watch, pooled: urls.isPooled }),
      },
      { provide: Notifications, useFactory: () => new Notifications(urls.directUrl, isService) },
    ],
    exports: [DatabaseUrls, Sql, Notifications],
  };
}
