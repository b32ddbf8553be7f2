import { Module } from '@nestjs/common';
import { DeliveryWorker } from './delivery-worker.js';
import { EventSweeper } from './event-sweeper.js';
import { EventsModule } from './events.module.js';

/** The background jobs of a running service on its events. Operator commands do not run them. */
@Module({ imports: [EventsModule], providers: [DeliveryWorker, EventSweeper] })
export class EventDeliveryModule {}
