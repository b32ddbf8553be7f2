import { Module } from '@nestjs/common';
import { Metrics } from './metrics.js';

/** The metrics of the service. Other modules add their metrics. */
@Module({ providers: [Metrics], exports: [Metrics] })
export class TelemetryModule {}
