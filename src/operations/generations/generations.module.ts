import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/auth.module.js';
import { CatalogueModule } from '../../catalogue/catalogue.module.js';
import { ChannelsModule } from '../../channels/channels.module.js';
import { TenancyModule } from '../../tenancy/tenancy.module.js';
import { UsageModule } from '../../usage/usage.module.js';
import { GenerationController } from './generation.controller.js';
import { GenerationsController } from './generations.controller.js';
import { GenerationsService } from './generations.service.js';

/** Lets a caller list calls, and read the cost, the attempts and the price lines of one call. */
@Module({
  imports: [AuthModule, CatalogueModule, ChannelsModule, TenancyModule, UsageModule],
  controllers: [GenerationController, GenerationsController],
  providers: [GenerationsService],
})
export class GenerationsModule {}
