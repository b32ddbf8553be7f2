import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.js';
import { ChannelsModule } from '../../channels/channels.module.js';
import { ChannelsController } from './channels.controller.js';
import { ChannelsService } from './channels.service.js';

/** Lets the operator manage the platform's credentials for vendors, and see their state. */
@Module({ imports: [AuditModule, ChannelsModule], controllers: [ChannelsController], providers: [ChannelsService] })
export class PlatformChannelsModule {}
