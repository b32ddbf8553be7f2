import { flag, httpUrl, integer, must, oneOf, text } from './parsers.js';

const withoutSpace = (value: string): string => {
  must(!/\s/.test(value), 'a string without white space');
  return value;
};

/** `name=value` pairs separated by commas, with percent encoding, as the OTEL_* variables have them. */
const pairs = (value: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    value
      .split(',')
      .filter((pair) => pair.trim() !== '')
      .map((pair) => {
        const at = pair.indexOf('=');
        must(at > 0, 'pairs such as name=value, separated by commas');
        return [decoded(pair.slice(0, at)), decoded(pair.slice(at + 1))];
      }),
  );

function decoded(part: string): string {
  try {
    return decodeURIComponent(part.trim());
  } catch {
    throw new Error('must be percent-encoded correctly');
  }
}

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

const ratio = (value: string): number => {
  const number = Number(value);
  must(value.trim() !== '' && number >= 0 && number <= 1, 'a number from 0 to 1');
  return number;
};

const EXPORTER = oneOf('otlp', 'none');
const PROTOCOL = oneOf('http/protobuf', 'http/json');

/** Metrics and traces. The OTEL_* variables have their standard meaning. */
export const TELEMETRY_VARIABLES = {
  METRICS_PORT: {
    parse: integer(0, 65535),
    doc: 'Port of a listener of its own for GET /metrics; 0 takes a free one. Absent: there is no such listener.',
  },
  METRICS_HOST: { parse: text, default: '127.0.0.1', doc: 'Address that METRICS_PORT is opened at.' },
  METRICS_TOKEN: {
    parse: withoutSpace,
    secret: true,
    doc:
      'Bearer token for GET /metrics, at PORT and at METRICS_PORT. Absent: PORT answers 404 there, and METRICS_PORT ' +
      'needs no token.',
  },
  METRICS_MAX_SERIES: {
    parse: integer(500, 1_000_000),
    default: '2000',
    doc:
      'The most series that a scrape has. Models and providers that come after the limit is reached are counted as ' +
      '"other".',
  },
  OTEL_SDK_DISABLED: { parse: flag, default: 'false', doc: 'true = no traces and no metrics are sent by OTLP.' },
  OTEL_SERVICE_NAME: { parse: text, default: 'gatehouse', doc: 'Name of the service in traces and OTLP metrics.' },
  OTEL_RESOURCE_ATTRIBUTES: {
    parse: pairs,
    default: '',
    doc: 'Attributes of the service in traces and OTLP metrics: name=value pairs separated by commas.',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    parse: httpUrl,
    doc: 'Base URL to which traces and metrics are sent by OTLP over HTTP. Absent: nothing is sent.',
  },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: { parse: httpUrl, doc: 'Whole URL for traces, instead of the base URL.' },
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: { parse: httpUrl, doc: 'Whole URL for metrics, instead of the base URL.' },
  OTEL_EXPORTER_OTLP_HEADERS: {
    parse: pairs,
    secret: true,
    default: '',
    doc: 'Headers of OTLP requests, such as credentials: name=value pairs separated by commas.',
  },
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: {
    parse: pairs,
    secret: true,
    doc: 'Headers of OTLP requests with traces, instead of OTEL_EXPORTER_OTLP_HEADERS.',
  },
  OTEL_EXPORTER_OTLP_METRICS_HEADERS: {
    parse: pairs,
    secret: true,
    doc: 'Headers of OTLP requests with metrics, instead of OTEL_EXPORTER_OTLP_HEADERS.',
  },
  OTEL_EXPORTER_OTLP_PROTOCOL: {
    parse: PROTOCOL,
    default: 'http/protobuf',
    doc: 'Encoding of OTLP requests.',
  },
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: {
    parse: PROTOCOL,
    doc: 'Encoding of OTLP requests with traces, instead of OTEL_EXPORTER_OTLP_PROTOCOL.',
  },
  OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: {
    parse: PROTOCOL,
    doc: 'Encoding of OTLP requests with metrics, instead of OTEL_EXPORTER_OTLP_PROTOCOL.',
  },
  OTEL_EXPORTER_OTLP_COMPRESSION: {
    parse: oneOf('none', 'gzip'),
    default: 'none',
    doc: 'Compression of OTLP requests.',
  },
  OTEL_EXPORTER_OTLP_TIMEOUT: {
    parse: integer(1, 600_000),
    default: '10000',
    doc: 'Timeout of an OTLP request, in milliseconds.',
  },
  OTEL_TRACES_EXPORTER: { parse: EXPORTER, default: 'otlp', doc: 'none = no traces, whatever the endpoint.' },
  OTEL_METRICS_EXPORTER: { parse: EXPORTER, default: 'otlp', doc: 'none = no OTLP metrics, whatever the endpoint.' },
  OTEL_METRIC_EXPORT_INTERVAL: {
    parse: integer(100, 86_400_000),
    default: '60000',
    doc: 'Interval between two OTLP exports of the metrics, in milliseconds.',
  },
  OTEL_TRACES_SAMPLER: {
    parse: oneOf(...SAMPLERS),
    default: 'parentbased_always_on',
    doc: "Which requests are traced. A parentbased sampler follows the sampled flag of a caller's traceparent.",
  },
  OTEL_TRACES_SAMPLER_ARG: {
    parse: ratio,
    doc: 'The share of requests that a traceidratio sampler traces, from 0 to 1. Absent: all.',
  },
  OTEL_BSP_SCHEDULE_DELAY: {
    parse: integer(1, 600_000),
    default: '5000',
    doc: 'The longest time that an ended span waits before it is sent, in milliseconds.',
  },
  OTEL_BSP_MAX_QUEUE_SIZE: {
    parse: integer(1, 100_000),
    default: '2048',
    doc: 'Spans that wait to be sent; further ones are dropped.',
  },
  OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: {
    parse: flag,
    default: 'false',
    doc:
      'true = spans contain the prompt, which leaves the service with them, and for keys with export_content the ' +
      'generated text.',
  },
  TRACEPARENT_TO_PROVIDERS: {
    parse: flag,
    default: 'false',
    doc: 'true = requests to providers carry the traceparent of a call that is traced.',
  },
} as const;
