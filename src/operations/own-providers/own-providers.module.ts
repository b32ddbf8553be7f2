import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.js';
import { CatalogueModule } from '../../catalogue/catalogue.module.js';
import { ChannelsModule } from '../../channels/channels.module.js';
import { TenancyModule } from '../../tenancy/tenancy.module.js';
import { OwnProvidersController } from './own-providers.controller.js';
import { OwnProvidersService } from './own-providers.service.js';

/** Lets the operator add providers at any address with a compatible API, and their models with prices. */
@Module({
  imports: [AuditModule, CatalogueModule, ChannelsModule, TenancyModule],
  controllers: [OwnProvidersController],
  providers: [OwnProvidersService],
})
export class OwnProvidersModule {}
