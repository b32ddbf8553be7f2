import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.js';
import { CatalogueModule } from '../../catalogue/catalogue.module.js';
import { ChannelsModule } from '../../channels/channels.module.js';
import { TenancyModule } from '../../tenancy/tenancy.module.js';
import { ChannelsController } from './channels.controller.js';
import { ChannelsService } from './channels.service.js';
import { ListedChannels } from './listed-channels.js';

/** Lets the operator keep the platform's credentials for vendors, and see how they fare. */
@Module({
  imports: [AuditModule, CatalogueModule, ChannelsModule, TenancyModule],
  controllers: [ChannelsController],
  providers: [ChannelsService, ListedChannels],
})
export class PlatformChannelsModule {}
