import { Module } from '@nestjs/common';
import { CatalogueModule } from '../../catalogue/catalogue.module.js';
import { UsageModule } from '../../usage/usage.module.js';
import { AnalyticsController } from './analytics.controller.js';
import { AnalyticsService } from './analytics.service.js';

/** Lets a management key query the usage of its account. */
@Module({ imports: [CatalogueModule, UsageModule], controllers: [AnalyticsController], providers: [AnalyticsService] })
export class AnalyticsModule {}
