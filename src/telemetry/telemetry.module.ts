import { Module } from '@nestjs/common';
import { Metrics } from './metrics.js';

/** The metrics of the service, to which each room adds its own. */
@Module({ providers: [Metrics], exports: [Metrics] })
export class TelemetryModule {}
