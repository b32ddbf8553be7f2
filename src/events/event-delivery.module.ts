import { Module } from '@nestjs/common';
import { DeliveryWorker } from './delivery-worker.js';
import { EventUpkeep } from './event-upkeep.js';
import { EventsModule } from './events.module.js';

/** Background jobs of a running service on its events; operator commands do not run them. */
@Module({ imports: [EventsModule], providers: [DeliveryWorker, EventUpkeep] })
export class EventDeliveryModule {}
