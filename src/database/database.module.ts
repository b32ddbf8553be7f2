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
import { DatabaseUrls } from './database-urls.js';
import { Notifications } from './notifications.js';
import { ormOptions } from './orm-options.js';
import { Sql } from './sql.js';

/** PostgreSQL: entities through MikroORM, plain SQL for the hot tables, and notifications. */
@Global()
@Module({})
export class DatabaseModule implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    @Inject(Sql) private readonly sql: Sql,
    @Inject(Notifications) private readonly notifications: Notifications,
  ) {}

  /** `listen: false` for a command that ends soon: it has no cache to keep true. */
  static register(urls: DatabaseUrls, { listen = true } = {}): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        MikroOrmModule.forRootAsync({
          driver: PostgreSqlDriver,
          useFactory: () => ({ ...ormOptions(urls.url), registerRequestContext: false }),
        }),
      ],
      providers: [
        { provide: DatabaseUrls, useValue: urls },
        { provide: Sql, useFactory: () => new Sql(urls.url) },
        { provide: Notifications, useFactory: () => new Notifications(urls.directUrl, listen) },
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
