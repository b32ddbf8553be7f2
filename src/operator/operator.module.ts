import { Module, type DynamicModule } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { BillingModule } from '../billing/billing.module.js';
import { CatalogueModule } from '../catalogue/catalogue.module.js';
import type { Config } from '../config/config.js';
import { ConfigModule } from '../config/config.module.js';
import { DatabaseModule } from '../database/database.module.js';
import type { DatabaseUrls } from '../database/database-urls.js';
import { FilesModule } from '../files/files.module.js';
import type { Clock } from '../kernel/clock.js';
import { MembershipsModule } from '../members/memberships.module.js';
import { SecretsModule } from '../secrets/secrets.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { TenancyModule } from '../tenancy/tenancy.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { FirstStartModule } from './first-start.module.js';

/** The modules that the operator's commands use, without the API. */
@Module({})
export class OperatorModule {
  static register(config: Config, urls: DatabaseUrls, clock?: Clock): DynamicModule {
    return {
      module: OperatorModule,
      imports: [
        ConfigModule.register(config, clock),
        DatabaseModule.registerForCommand(urls),
        AuditModule,
        AuthModule,
        BillingModule,
        CatalogueModule,
        FilesModule,
        FirstStartModule,
        MembershipsModule,
        SecretsModule,
        SessionsModule,
        TenancyModule,
        UsageModule,
      ],
    };
  }
}
