import { flag, httpUrl, integer, isDecodable, listOf, matching, must, oneOf, text, textThat } from './schemas.js';

/** `name=value` pairs separated by commas, with percent-encoding, as in the OTEL_* variables. */
const pairs = listOf(
  matching(/^[^=]+=/, 'pairs such as name=value, separated by commas')
    .refine(isDecodable, must('percent-encoded correctly'))
    .transform((pair) => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at), pair.slice(at + 1)].map((part) => decodeURIComponent(part.trim())) as [string, string];
    }),
).transform((entries): Readonly<Record<string, string>> => Object.fromEntries(entries));

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

const ratio = textThat((value) => Number(value) >= 0 && Number(value) <= 1, 'a number from 0 to 1').transform(Number);

const EXPORTER = oneOf('otlp', 'none');
const PROTOCOL = oneOf('http/protobuf', 'http/json');

/** Variables of metrics and traces. The OTEL_* variables have their standard meaning. */
export const TELEMETRY_VARIABLES = {
  METRICS_PORT: {
    schema: integer(0, 65535),
    doc: 'Port of a separate listener for GET /metrics; 0 = any free port. Absent: no such listener.',
  },
  METRICS_HOST: { schema: text, default: '127.0.0.1', doc: 'Address on which METRICS_PORT is opened.' },
  METRICS_TOKEN: {
    schema: matching(/^\S*$/, 'a string without white space'),
    secret: true,
    doc:
      'Bearer token for GET /metrics, at PORT and at METRICS_PORT. Absent: GET /metrics returns 404 on ' +
      'PORT, and METRICS_PORT needs no token.',
  },
  METRICS_MAX_SERIES: {
    schema: integer(500, 1_000_000),
    default: '2000',
    doc:
      'The maximum number of series in a scrape. When it is reached, further models and providers are ' +
      'counted as "other".',
  },
  OTEL_SDK_DISABLED: { schema: flag, default: 'false', doc: 'true = no traces and no metrics are sent by OTLP.' },
  OTEL_SERVICE_NAME: { schema: text, default: 'gatehouse', doc: 'Name of the service in traces and OTLP metrics.' },
  OTEL_RESOURCE_ATTRIBUTES: {
    schema: pairs,
    default: '',
    doc: 'Attributes of the service in traces and OTLP metrics: name=value pairs separated by commas.',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    schema: httpUrl,
    doc: 'Base URL to which traces and metrics are sent by OTLP over HTTP. Absent: nothing is sent.',
  },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: { schema: httpUrl, doc: 'Whole URL for traces, instead of the base URL.' },
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: { schema: httpUrl, doc: 'Whole URL for metrics, instead of the base URL.' },
  OTEL_EXPORTER_OTLP_HEADERS: {
    schema: pairs,
    secret: true,
    default: '',
    doc: 'Headers of OTLP requests, such as credentials: name=value pairs separated by commas.',
  },
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: {
    schema: pairs,
    secret: true,
    doc: 'Headers of OTLP requests with traces, instead of OTEL_EXPORTER_OTLP_HEADERS.',
  },
  OTEL_EXPORTER_OTLP_METRICS_HEADERS: {
    schema: pairs,
    secret: true,
    doc: 'Headers of OTLP requests with metrics, instead of OTEL_EXPORTER_OTLP_HEADERS.',
  },
  OTEL_EXPORTER_OTLP_PROTOCOL: {
    schema: PROTOCOL,
    default: 'http/protobuf',
    doc: 'Encoding of OTLP requests.',
  },
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: {
    schema: PROTOCOL,
    doc: 'Encoding of OTLP requests with traces, instead of OTEL_EXPORTER_OTLP_PROTOCOL.',
  },
  OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: {
    schema: PROTOCOL,
    doc: 'Encoding of OTLP requests with metrics, instead of OTEL_EXPORTER_OTLP_PROTOCOL.',
  },
  OTEL_EXPORTER_OTLP_COMPRESSION: {
    schema: oneOf('none', 'gzip'),
    default: 'none',
    doc: 'Compression of OTLP requests.',
  },
  OTEL_EXPORTER_OTLP_TIMEOUT: {
    schema: integer(1, 600_000),
    default: '10000',
    doc: 'Timeout of an OTLP request, in milliseconds.',
  },
  OTEL_TRACES_EXPORTER: { schema: EXPORTER, default: 'otlp', doc: 'none = no traces, even with an endpoint.' },
  OTEL_METRICS_EXPORTER: { schema: EXPORTER, default: 'otlp', doc: 'none = no OTLP metrics, even with an endpoint.' },
  OTEL_METRIC_EXPORT_INTERVAL: {
    schema: integer(100, 86_400_000),
    default: '60000',
    doc: 'Interval between two OTLP exports of the metrics, in milliseconds.',
  },
  OTEL_TRACES_SAMPLER: {
    schema: oneOf(...SAMPLERS),
    default: 'parentbased_always_on',
    doc: "Which requests are traced. A parentbased sampler follows the sampled flag of a caller's traceparent.",
  },
  OTEL_TRACES_SAMPLER_ARG: {
    schema: ratio,
    doc: 'The share of requests that a traceidratio sampler traces, from 0 to 1. Absent: all.',
  },
  OTEL_BSP_SCHEDULE_DELAY: {
    schema: integer(1, 600_000),
    default: '5000',
    doc: 'The longest time that an ended span waits before it is sent, in milliseconds.',
  },
  OTEL_BSP_MAX_QUEUE_SIZE: {
    schema: integer(1, 100_000),
    default: '2048',
    doc: 'The maximum number of spans in the export queue; further spans are dropped.',
  },
  OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: {
    schema: flag,
    default: 'false',
    doc: 'true = exported spans contain the prompt and, for keys with export_content, the generated text.',
  },
  TRACEPARENT_TO_PROVIDERS: {
    schema: flag,
    default: 'false',
    doc: 'true = requests to providers carry the traceparent of a call that is traced.',
  },
} as const;
