import { Module } from '@nestjs/common';
import { EventsModule } from '../../events/events.module.js';
import { RateLimitsModule } from '../../rate-limits/rate-limits.module.js';
import { SecretsModule } from '../../secrets/secrets.module.js';
import { SecretsStartModule } from '../../secrets/secrets-start.module.js';
import { StorageModule } from '../../storage/storage.module.js';
import { UsageModule } from '../../usage/usage.module.js';
import { HealthChecks } from './health-checks.js';
import { HealthDetailsController } from './health.controller.js';
import { HealthService } from './health.service.js';
import { StoredHealthReader } from './stored-health.js';

/** Lets the operator see which parts of the service do not work, and why. */
@Module({
  imports: [EventsModule, RateLimitsModule, SecretsModule, SecretsStartModule, StorageModule, UsageModule],
  controllers: [HealthDetailsController],
  providers: [HealthChecks, HealthService, StoredHealthReader],
})
export class HealthOperationsModule {}
