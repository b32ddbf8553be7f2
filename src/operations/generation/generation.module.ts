import { AuthModule } from '../../auth/auth.module.js';
import { Module } from '@nestjs/common';
import { CatalogueModule } from '../../catalogue/catalogue.module.js';
import { TenancyModule } from '../../tenancy/tenancy.module.js';
import { UsageModule } from '../../usage/usage.module.js';
import { GenerationController } from './generation.controller.js';
import { GenerationService } from './generation.service.js';

/** Lets a caller read the cost of one call. */
@Module({
  imports: [AuthModule, CatalogueModule, TenancyModule, UsageModule],
  controllers: [GenerationController],
  providers: [GenerationService],
})
export class GenerationModule {}
