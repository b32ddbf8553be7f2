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

  /** For the service: every statement has a timeout derived from DATABASE_TIMEOUT_MS. */
  static register(urls: DatabaseUrls): DynamicModule {
    const watch = new DatabaseWatch();
    return {
      module: DatabaseModule,
      imports: [
        TelemetryModule,
        MikroOrmModule.forRootAsync({
          driver: PostgreSqlDriver,
          inject: [Config],
          useFactory: (config: Config) => ({
            ...ormOptions(urls.url, statementTimeoutMs(config), watch, urls.isPooled),
            registerRequestContext: false,
          }),
        }),
      ],
      providers: [
        DurabilityWatch,
        { provide: DatabaseUrls, useValue: urls },
        {
          provide: Sql,
          inject: [Config],
          useFactory: (config: Config) =>
            new Sql(urls.url, undefined, { timeoutMs: statementTimeoutMs(config), watch, pooled: urls.isPooled }),
        },
        { provide: Notifications, useFactory: () => new Notifications(urls.directUrl) },
      ],
      exports: [DatabaseUrls, Sql, Notifications],
    };
  }

  /** For an operator command: no timeouts, and no notifications, because a command has no long-lived cache. */
  static registerForCommand(urls: DatabaseUrls): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        MikroOrmModule.forRootAsync({
          driver: PostgreSqlDriver,
          useFactory: () => ({ ...ormOptions(urls.url, 0, undefined, urls.isPooled), registerRequestContext: false }),
        }),
      ],
      providers: [
        { provide: DatabaseUrls, useValue: urls },
        { provide: Sql, useFactory: () => new Sql(urls.url, undefined, { pooled: urls.isPooled }) },
        { provide: Notifications, useFactory: () => new Notifications(urls.directUrl, false) },
      ],
      exports: [DatabaseUrls, Sql, Notifications],
    };
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.notifications.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.notifications.close();
    await this.sql.close();
  }
}
