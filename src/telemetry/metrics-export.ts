import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Config } from '../config/config.js';
import { ProcessRole } from '../config/process-role.js';
import { Periodic } from '../kernel/scheduling/periodic.js';
import { Metrics } from './metrics.js';
import { beforeShutdown, endpointOf, metricsExporter, resourceOf } from './otlp-exporters.js';
import { toResourceMetrics } from './otlp-metrics.js';

/**
 * Sends the metrics by OTLP if an endpoint is configured. A failed export is not retried, because the next one contains
 * all values.
 */
@Injectable()
export class MetricsExport implements OnApplicationBootstrap, OnModuleDestroy {
  #exports: Periodic | undefined;
  #close: () => Promise<void> = () => Promise.resolve();

  constructor(
    private readonly metrics: Metrics,
    private readonly config: Config,
    private readonly role: ProcessRole,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { values } = this.config;
    const url = endpointOf('metrics', values);
    if (url === undefined || this.role.isWorker) return;
    const sdk = await import('@opentelemetry/sdk-metrics');
    const [exporter, resource] = await Promise.all([metricsExporter(url, values), resourceOf(values)]);
    const send = async (): Promise<void> => {
      const metrics = toResourceMetrics(await this.metrics.collect(), resource, sdk);
      await new Promise<void>((resolve) => exporter.export(metrics, () => resolve()));
    };
    this.#exports = new Periodic(send, () => undefined);
    this.#exports.start(values.OTEL_METRIC_EXPORT_INTERVAL);
    this.#close = () => exporter.shutdown();
  }

  /** Sends the last values while the database can still be read. */
  async onModuleDestroy(): Promise<void> {
    if (!this.#exports) return;
    await beforeShutdown(this.#exports.trigger().then(() => this.#exports!.stop()));
    await beforeShutdown(this.#close());
  }
}
