import { Module, type DynamicModule } from '@nestjs/common';
import { AccessTokensModule } from './applications/access-tokens.module.js';
import { GateModule } from './auth/gate.module.js';
import type { Config } from './config/config.js';
import { ConfigModule } from './config/config.module.js';
import { ProcessRole } from './config/process-role.js';
import { DatabaseModule } from './database/database.module.js';
import { DatabaseUrls } from './database/database-urls.js';
import { HttpModule } from './http/http.module.js';
import type { AdapterRegistry } from './inference/adapter-registry.js';
import { InferenceModule } from './inference/inference.module.js';
import { INFERENCE_OPERATIONS } from './operations/operations.js';
import { SecretsModule } from './secrets/secrets.module.js';
import { SecretsStartModule } from './secrets/secrets-start.module.js';
import { TelemetryExportModule } from './telemetry/telemetry-export.module.js';
import type { WorkerStart } from './worker-messages.js';

/** The part of the service that a worker runs: inference, without background jobs. */
@Module({})
export class WorkerModule {
  static register(config: Config, adapters: AdapterRegistry, start: WorkerStart): DynamicModule {
    return {
      module: WorkerModule,
      imports: [
        ConfigModule.register(config, undefined, new ProcessRole(true, start.committerSocket, start.countersSocket)),
        DatabaseModule.register(new DatabaseUrls(start.databaseUrl, start.databaseDirectUrl)),
        SecretsModule,
        SecretsStartModule,
        AccessTokensModule,
        // The guards of these modules run in the order of the imports.
        GateModule,
        // The supervisor serves the health routes.
        HttpModule.register({ useFactory: () => [] }),
        InferenceModule.register(adapters),
        TelemetryExportModule,
        ...INFERENCE_OPERATIONS,
      ],
    };
  }
}
