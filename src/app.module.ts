import { Module, type DynamicModule } from '@nestjs/common';
import { AccessTokensModule } from './applications/access-tokens.module.js';
import { GateModule } from './auth/gate.module.js';
import { CreditsThresholdModule } from './billing/credits-threshold.module.js';
import { Catalogue } from './catalogue/catalogue.js';
import { CatalogueModule } from './catalogue/catalogue.module.js';
import type { Config } from './config/config.js';
import { ConfigModule } from './config/config.module.js';
import { ProcessRole } from './config/process-role.js';
import { DatabaseModule } from './database/database.module.js';
import type { DatabaseUrls } from './database/database-urls.js';
import { Sql } from './database/sql.js';
import { EventDeliveryModule } from './events/event-delivery.module.js';
import { HttpModule } from './http/http.module.js';
import type { ReadinessProbe } from './http/edge/health.controller.js';
import type { ServiceLog } from './http/log/service-log.js';
import type { AdapterRegistry } from './inference/adapter-registry.js';
import { InferenceModule } from './inference/inference.module.js';
import type { Clock } from './kernel/clock.js';
import { OPERATIONS } from './operations/operations.js';
import { PostedCallsModule } from './operations/posted-calls.module.js';
import { FirstStartModule } from './operator/first-start.module.js';
import { ReplicaAnnouncer } from './secrets/replica-announcer.js';
import { SecretsModule } from './secrets/secrets.module.js';
import { SecretsStartModule } from './secrets/secrets-start.module.js';
import { DataFolder } from './storage/data-folder.js';
import { SessionGateModule } from './sessions/session-gate.module.js';
import { StorageModule } from './storage/storage.module.js';
import { TelemetryExportModule } from './telemetry/telemetry-export.module.js';
import type { ProviderNames } from './usage/provider-names.port.js';
import { UsageJobsModule } from './usage/usage-jobs.module.js';
import type { Workers } from './workers.js';

/** Timeout of the database probe. */
const PROBE_TIMEOUT_MS = 1_200;

export interface Composition {
  readonly config: Config;
  readonly urls: DatabaseUrls;
  readonly adapters: AdapterRegistry;
  readonly clock?: Clock;
  /** Default: a log to standard output, as configured. */
  readonly log?: ServiceLog;
  /** The processes that serve inference. Absent: this process serves inference. */
  readonly workers?: Workers;
}

/** The whole service. */
@Module({})
export class AppModule {
  static register({ config, urls, adapters, clock, workers }: Composition): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.register(config, clock, new ProcessRole(false, workers?.committerSocket)),
        DatabaseModule.register(urls),
        SecretsModule,
        SecretsStartModule,
        AccessTokensModule,
        // Global guards run in the order of these imports: SessionGateModule selects the keys of a session, GateModule
        // checks the key, and HttpModule reads the body.
        SessionGateModule,
        GateModule,
        HttpModule.register({
          imports: [StorageModule, SecretsStartModule],
          inject: [Sql, DataFolder, ReplicaAnnouncer],
          useFactory: (sql: Sql, folder: DataFolder, replica: ReplicaAnnouncer): readonly ReadinessProbe[] => [
            {
              name: 'database',
              isReady: async () => (await sql.query('select 1', [], { timeoutMs: PROBE_TIMEOUT_MS })).length === 1,
            },
            { name: 'data folder', isReady: async () => (await folder.fault()) === undefined },
            { name: `secrets of the replica ${replica.id}`, isReady: () => Promise.resolve(replica.opensSecrets) },
          ],
        }),
        PostedCallsModule,
        InferenceModule.register(adapters),
        FirstStartModule,
        UsageJobsModule.register({
          imports: [CatalogueModule],
          inject: [Catalogue],
          useFactory: (catalogue: Catalogue): ProviderNames => ({
            bySlug: () => Object.fromEntries(catalogue.providers().map(({ slug, name }) => [slug, name])),
          }),
        }),
        TelemetryExportModule,
        CreditsThresholdModule,
        EventDeliveryModule,
        ...OPERATIONS,
      ],
    };
  }
}
