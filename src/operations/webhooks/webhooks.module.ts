import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.js';
import { EventsModule } from '../../events/events.module.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksService } from './webhooks.service.js';

/** The routes of webhooks: addresses to which the events of an account are sent. A management key creates them. */
@Module({ imports: [AuditModule, EventsModule], controllers: [WebhooksController], providers: [WebhooksService] })
export class WebhooksModule {}
