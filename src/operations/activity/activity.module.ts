import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/auth.module.js';
import { CatalogueModule } from '../../catalogue/catalogue.module.js';
import { TenancyModule } from '../../tenancy/tenancy.module.js';
import { UsageModule } from '../../usage/usage.module.js';
import { ActivityController } from './activity.controller.js';
import { ActivityService } from './activity.service.js';

/** Lets a management key read its account's spend by day, model and provider. */
@Module({
  imports: [AuthModule, CatalogueModule, TenancyModule, UsageModule],
  controllers: [ActivityController],
  providers: [ActivityService],
})
export class ActivityModule {}
