import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.js';
import { EventsModule } from '../../events/events.module.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksService } from './webhooks.service.js';

/** Lets a management key manage webhooks, to which the events of its account are sent. */
@Module({ imports: [AuditModule, EventsModule], controllers: [WebhooksController], providers: [WebhooksService] })
export class WebhooksModule {}
