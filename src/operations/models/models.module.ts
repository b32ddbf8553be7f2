import { Module } from '@nestjs/common';
import { CatalogueModule } from '../../catalogue/catalogue.module.js';
import { UsageModule } from '../../usage/usage.module.js';
import { ModelsController } from './models.controller.js';
import { ModelsService } from './models.service.js';
import { PublicAddress } from '../../http/edge/service-address.js';

/** Lets a caller list, filter and sort the models of the catalogue, and list their endpoints. */
@Module({
  imports: [CatalogueModule, UsageModule],
  controllers: [ModelsController],
  providers: [ModelsService, PublicAddress],
})
export class ModelsModule {}
