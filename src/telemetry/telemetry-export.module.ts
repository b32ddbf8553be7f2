import { Module } from '@nestjs/common';
import { MetricsExport } from './metrics-export.js';
import { ProcessMetrics } from './process-metrics.js';
import { TelemetryModule } from './telemetry.module.js';

/** Exports the metrics of a running service. Operator commands export nothing. */
@Module({ imports: [TelemetryModule], providers: [MetricsExport, ProcessMetrics] })
export class TelemetryExportModule {}
