import { Global, Module, type DynamicModule } from '@nestjs/common';
import { AuthModule } from './auth/auth.module.js';
import { Config } from './config/config.js';
import { DatabaseModule } from './database/database.module.js';
import { DatabaseUrls } from './database/database-urls.js';
import { Sql } from './database/sql.js';
import { HttpModule } from './http/http.module.js';
import type { ReadinessProbe } from './http/readiness.js';
import { AdapterRegistry } from './inference/adapter-registry.js';
import { InferenceModule } from './inference/inference.module.js';
import { Clock, SystemClock } from './kernel/clock.js';
import { OPERATIONS } from './operations/operations.js';
import { FirstStartModule } from './operator/first-start.module.js';

/** What every room may ask for. */
@Global()
@Module({})
class KernelModule {
  static register(config: Config, clock: Clock): DynamicModule {
    return {
      module: KernelModule,
      providers: [
        { provide: Config, useValue: config },
        { provide: Clock, useValue: clock },
      ],
      exports: [Config, Clock],
    };
  }
}

export interface Composition {
  readonly config: Config;
  readonly urls: DatabaseUrls;
  readonly adapters: AdapterRegistry;
  readonly clock?: Clock;
}

/** The whole service. */
@Module({})
export class AppModule {
  static register({ config, urls, adapters, clock = new SystemClock() }: Composition): DynamicModule {
    return {
      module: AppModule,
      imports: [
        KernelModule.register(config, clock),
        DatabaseModule.register(urls),
        HttpModule.register({
          inject: [Sql],
          useFactory: (sql: Sql): readonly ReadinessProbe[] => [{ name: 'database', isReady: async () => (await sql.query('select 1')).length === 1 }],
        }),
        AuthModule,
        InferenceModule.register(adapters),
        FirstStartModule,
        ...OPERATIONS,
      ],
    };
  }
}
