import {
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Span,
  type SpanContext,
  type Tracer,
} from '@opentelemetry/api';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { VERSION } from '../config/version.js';
import type { ConfigValues } from '../config/variables.js';
import type { RequestScope } from '../kernel/request-scope.js';
import { beforeShutdown, endpointOf, resourceOf, traceExporter } from './otlp-exporters.js';
import { HEALTH_ROUTES, patternOf, type RoutedRequest } from './routed-request.js';
import { samplingOf, type Sampling } from './sampling.js';
import { requestTrace } from './request-spans.js';

/** The SDK's default; a batch must not be larger than the queue. */
const MAX_BATCH_SPANS = 512;
const MAX_ATTRIBUTE_CHARACTERS = 32_768;
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/**
 * Creates the server span of each sampled request. The spans of calls to vendors are children of this span
 * (RequestTrace).
 */
export class Tracing {
  private constructor(
    private readonly tracer: Tracer,
    private readonly options: {
      readonly recordsPrompts: boolean;
      readonly passesToVendors: boolean;
      readonly samples: Sampling;
    },
    private readonly shutdown: () => Promise<void>,
  ) {}

  /** Null if no endpoint for traces is configured. In this case, no package is loaded. */
  static async start(values: ConfigValues): Promise<Tracing | null> {
    const url = endpointOf('traces', values);
    if (url === undefined) return null;
    const { AlwaysOnSampler, BatchSpanProcessor, TracerProvider } = await import('@opentelemetry/sdk-trace');
    const exporter = await traceExporter(url, values);
    const provider = new TracerProvider({
      resource: await resourceOf(values),
      // Requests are sampled before their span is created.
      sampler: new AlwaysOnSampler(),
      spanLimits: { attributeValueLengthLimit: MAX_ATTRIBUTE_CHARACTERS },
      spanProcessors: [
        new BatchSpanProcessor({
          exporter,
          maxQueueSize: values.OTEL_BSP_MAX_QUEUE_SIZE,
          maxExportBatchSize: Math.min(MAX_BATCH_SPANS, values.OTEL_BSP_MAX_QUEUE_SIZE),
          scheduledDelayMillis: values.OTEL_BSP_SCHEDULE_DELAY,
          exportTimeoutMillis: values.OTEL_EXPORTER_OTLP_TIMEOUT,
        }),
      ],
    });
    return new Tracing(
      provider.getTracer('gatehouse', VERSION),
      {
        recordsPrompts: values.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT,
        passesToVendors: values.TRACEPARENT_TO_PROVIDERS,
        samples: samplingOf(values),
      },
      () => provider.shutdown(),
    );
  }

  /** Starts the span of a request. The span ends with the response. `path`: the route, if known before routing. */
  watch(request: RoutedRequest, response: ServerResponse, scope: RequestScope, path?: string): void {
    if (HEALTH_ROUTES.has(request.url!)) return;
    const parent = parentOf(request);
    const { samples, recordsPrompts, passesToVendors } = this.options;
    if (!samples(parent)) return;
    const callers = parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
    const span = this.tracer.startSpan('request', { kind: SpanKind.SERVER }, callers);
    const context = trace.setSpan(ROOT_CONTEXT, span);
    const { end, ...spans } = requestTrace({ tracer: this.tracer, context, scope, recordsPrompts, passesToVendors });
    scope.trace = { traceId: span.spanContext().traceId, ...spans };
    response.on('close', () => {
      end();
      endServerSpan(span, request, response, scope, path ?? request.route?.path);
    });
  }

  /** Sends the waiting spans. */
  close(): Promise<void> {
    return beforeShutdown(this.shutdown());
  }
}

/** The caller's span; undefined if the traceparent is absent or invalid. */
function parentOf({ headers }: IncomingMessage): SpanContext | undefined {
  const { traceparent } = headers;
  const match = typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent) : null;
  if (!match) return undefined;
  const [, traceId = '', spanId = '', flags = ''] = match;
  const parent = { traceId, spanId, isRemote: true, traceFlags: parseInt(flags, 16) & TraceFlags.SAMPLED };
  return isSpanContextValid(parent) ? parent : undefined;
}

function endServerSpan(
  span: Span,
  request: IncomingMessage,
  response: ServerResponse,
  scope: RequestScope,
  route: unknown,
): void {
  // The path is omitted, because it may contain anything.
  const pattern = patternOf(route);
  span.updateName(pattern === undefined ? request.method! : `${request.method!} ${pattern}`);
  span.setAttribute('http.request.method', request.method!);
  if (pattern !== undefined) span.setAttribute('http.route', pattern);
  span.setAttribute('gatehouse.request_id', scope.requestId);
  if (scope.generationId !== undefined) span.setAttribute('gatehouse.generation_id', scope.generationId);
  if (response.headersSent) span.setAttribute('http.response.status_code', response.statusCode);
  const isCut = !response.writableFinished;
  if (isCut) span.setAttribute('gatehouse.cut', true);
  if (response.statusCode >= 500) {
    span.setAttribute('error.type', String(response.statusCode));
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
}
