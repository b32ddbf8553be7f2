import type { ExportResult } from '@opentelemetry/core';
import type { Resource } from '@opentelemetry/resources';
import type { ResourceMetrics } from '@opentelemetry/sdk-metrics';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { ConfigValues } from '../config/variables.js';
import { VERSION } from '../config/version.js';

type Signal = 'traces' | 'metrics';

/** Sends items to the configured endpoint. Failures are passed to the callback and logged, never thrown. */
interface OtlpExporter<Items> {
  export(items: Items, done: (result: ExportResult) => void): void;
  forceFlush(): Promise<void>;
  shutdown(): Promise<void>;
}

/**
 * Maximum concurrent requests. Further exports fail, so that no data accumulates in memory while the endpoint is down.
 */
const MAX_REQUESTS = 4;

/** Time for the last exports when the service stops. */
const SHUTDOWN_TIMEOUT_MS = 3_000;

/** Waits for the last exports, with a timeout. Never rejects. */
export async function beforeShutdown(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, SHUTDOWN_TIMEOUT_MS)));
  await Promise.race([work.catch(() => undefined), late]);
  clearTimeout(timer);
}

/** The variables of one signal. They take precedence over the variables for all signals. */
const ownValues = (signal: Signal, values: ConfigValues) =>
  signal === 'traces'
    ? {
        url: values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT,
        exporter: values.OTEL_TRACES_EXPORTER,
        headers: values.OTEL_EXPORTER_OTLP_TRACES_HEADERS,
        protocol: values.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL,
      }
    : {
        url: values.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT,
        exporter: values.OTEL_METRICS_EXPORTER,
        headers: values.OTEL_EXPORTER_OTLP_METRICS_HEADERS,
        protocol: values.OTEL_EXPORTER_OTLP_METRICS_PROTOCOL,
      };

/** The URL of a signal; undefined = the signal is not exported. */
export function endpointOf(signal: Signal, values: ConfigValues): string | undefined {
  const { url, exporter } = ownValues(signal, values);
  if (values.OTEL_SDK_DISABLED || exporter === 'none') return undefined;
  const base = values.OTEL_EXPORTER_OTLP_ENDPOINT;
  return url ?? (base === undefined ? undefined : `${base}/v1/${signal}`);
}

/** Whether the metrics of this process are exported or scraped. */
export const exportsMetrics = (values: ConfigValues): boolean =>
  values.METRICS_PORT !== undefined ||
  values.METRICS_TOKEN !== undefined ||
  endpointOf('metrics', values) !== undefined;

/** The attributes of this process in traces and OTLP metrics. */
export async function resourceOf(values: ConfigValues): Promise<Resource> {
  const { resourceFromAttributes } = await import('@opentelemetry/resources');
  return resourceFromAttributes({
    'service.version': VERSION,
    'service.instance.id': randomUUID(),
    ...values.OTEL_RESOURCE_ATTRIBUTES,
    'service.name': values.OTEL_SERVICE_NAME,
  });
}

export async function traceExporter(url: string, values: ConfigValues): Promise<OtlpExporter<ReadableSpan[]>> {
  const { JsonTraceSerializer, ProtobufTraceSerializer, TraceExporterMetricsHelper } = await transformer();
  const serializer = sendsJson('traces', values) ? JsonTraceSerializer : ProtobufTraceSerializer;
  const { createOtlpHttpExportDelegate: create } = await transport();
  const options = await optionsOf('traces', url, values);
  return logged(
    'traces',
    create(options, serializer, 'otlp_http_span_exporter', TraceExporterMetricsHelper, undefined),
  );
}

export async function metricsExporter(url: string, values: ConfigValues): Promise<OtlpExporter<ResourceMetrics>> {
  const { JsonMetricsSerializer, ProtobufMetricsSerializer, MetricsExporterMetricsHelper } = await transformer();
  const serializer = sendsJson('metrics', values) ? JsonMetricsSerializer : ProtobufMetricsSerializer;
  const { createOtlpHttpExportDelegate: create } = await transport();
  const options = await optionsOf('metrics', url, values);
  return logged(
    'metrics',
    create(options, serializer, 'otlp_http_metric_exporter', MetricsExporterMetricsHelper, undefined),
  );
}

// These packages are loaded only if something is exported, because they use about 10 MB.
const transformer = () => import('@opentelemetry/otlp-transformer');
const transport = () => import('@opentelemetry/otlp-exporter-base/node-http');

type HttpOptions = Parameters<Awaited<ReturnType<typeof transport>>['createOtlpHttpExportDelegate']>[0];

const sendsJson = (signal: Signal, values: ConfigValues): boolean =>
  (ownValues(signal, values).protocol ?? values.OTEL_EXPORTER_OTLP_PROTOCOL) === 'http/json';

async function optionsOf(signal: Signal, url: string, values: ConfigValues): Promise<HttpOptions> {
  const { httpAgentFactoryFromOptions } = await transport();
  const headers = {
    ...(ownValues(signal, values).headers ?? values.OTEL_EXPORTER_OTLP_HEADERS),
    'content-type': sendsJson(signal, values) ? 'application/json' : 'application/x-protobuf',
  };
  return {
    url,
    headers: () => Promise.resolve(headers),
    timeoutMillis: values.OTEL_EXPORTER_OTLP_TIMEOUT,
    concurrencyLimit: MAX_REQUESTS,
    compression: values.OTEL_EXPORTER_OTLP_COMPRESSION,
    agentFactory: httpAgentFactoryFromOptions({ keepAlive: true }),
  };
}

/** Logs only the first failure of an outage, and its end. */
function logged<Items>(signal: Signal, exporter: OtlpExporter<Items>): OtlpExporter<Items> {
  const log = new Logger('telemetry');
  let isFailing = false;
  return {
    export: (items, done) =>
      exporter.export(items, (result) => {
        const fails = result.error !== undefined;
        // Only the code is logged, because the message of a failed request may contain the endpoint's response.
        if (fails && !isFailing) log.warn(`OTLP ${signal} could not be sent (${codeOf(result.error)}); some are lost`);
        if (!fails && isFailing) log.log(`OTLP ${signal} are being sent again`);
        isFailing = fails;
        done(result);
      }),
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  };
}

const codeOf = (error: Error | undefined): string => {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' || typeof code === 'number' ? String(code) : (error?.name ?? 'unknown');
};
