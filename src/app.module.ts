import { Module, type DynamicModule } from '@nestjs/common';
import { GateModule } from './auth/gate.module.js';
import type { Config } from './config/config.js';
import { ConfigModule } from './config/config.module.js';
import { DatabaseModule } from './database/database.module.js';
import type { DatabaseUrls } from './database/database-urls.js';
import { Sql } from './database/sql.js';
import { HttpModule } from './http/http.module.js';
import type { ReadinessProbe } from './http/readiness.js';
import type { AdapterRegistry } from './inference/adapter-registry.js';
import { InferenceModule } from './inference/inference.module.js';
import type { Clock } from './kernel/clock.js';
import { OPERATIONS } from './operations/operations.js';
import { FirstStartModule } from './operator/first-start.module.js';
import { SecretsModule } from './secrets/secrets.module.js';
import { UsageUpkeepModule } from './usage/usage-upkeep.module.js';

export interface Composition {
  readonly config: Config;
  readonly urls: DatabaseUrls;
  readonly adapters: AdapterRegistry;
  readonly clock?: Clock;
}

/** The whole service. */
@Module({})
export class AppModule {
  static register({ config, urls, adapters, clock }: Composition): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.register(config, clock),
        DatabaseModule.register(urls),
        SecretsModule,
        GateModule,
        // Guards run in the order of these lines: no key, no reading.
        HttpModule.register({
          inject: [Sql],
          useFactory: (sql: Sql): readonly ReadinessProbe[] => [
            { name: 'database', isReady: async () => (await sql.query('select 1')).length === 1 },
          ],
        }),
        InferenceModule.register(adapters),
        FirstStartModule,
        UsageUpkeepModule,
        ...OPERATIONS,
      ],
    };
  }
}
