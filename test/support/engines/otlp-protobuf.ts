import protobuf from 'protobufjs';

/** The parts of opentelemetry-proto that tests read, with the original field numbers. */
const PROTO = `
  syntax = "proto3";
  message AnyValue {
    oneof value {
      string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4;
      ArrayValue array_value = 5;
    }
  }
  message ArrayValue { repeated AnyValue values = 1; }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message Resource { repeated KeyValue attributes = 1; }
  message Status { string message = 2; int32 code = 3; }
  message Span {
    bytes trace_id = 1; bytes span_id = 2; bytes parent_span_id = 4; string name = 5; int32 kind = 6;
    fixed64 start_time_unix_nano = 7; fixed64 end_time_unix_nano = 8; repeated KeyValue attributes = 9;
    Status status = 15;
  }
  message ScopeSpans { repeated Span spans = 2; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
  message Traces { repeated ResourceSpans resource_spans = 1; }
  message NumberDataPoint { double as_double = 4; repeated KeyValue attributes = 7; }
  message HistogramDataPoint {
    fixed64 count = 4; double sum = 5; repeated fixed64 bucket_counts = 6; repeated double explicit_bounds = 7;
    repeated KeyValue attributes = 9;
  }
  message Gauge { repeated NumberDataPoint data_points = 1; }
  message Sum { repeated NumberDataPoint data_points = 1; int32 aggregation_temporality = 2; bool is_monotonic = 3; }
  message Histogram { repeated HistogramDataPoint data_points = 1; int32 aggregation_temporality = 2; }
  message Metric { string name = 1; string unit = 3; Gauge gauge = 5; Sum sum = 7; Histogram histogram = 9; }
  message ScopeMetrics { repeated Metric metrics = 2; }
  message ResourceMetrics { Resource resource = 1; repeated ScopeMetrics scope_metrics = 2; }
  message Metrics { repeated ResourceMetrics resource_metrics = 1; }
`;
const { root } = protobuf.parse(PROTO);
const MESSAGES: Readonly<Record<string, string>> = { '/v1/traces': 'Traces', '/v1/metrics': 'Metrics' };
const IDS = new Set(['traceId', 'spanId', 'parentSpanId']);

/** Converts an OTLP request in protobuf to the text of the same request in JSON. Throws for an invalid message. */
export function otlpJsonOf(path: string, bytes: Buffer): string {
  const type = root.lookupType(MESSAGES[path]!);
  const json = type.toObject(type.decode(bytes), { longs: String, bytes: String });
  // OTLP's JSON has ids in hex, while protobuf's JSON has them in base64.
  return JSON.stringify(json, (name, value: unknown) =>
    IDS.has(name) ? Buffer.from(value as string, 'base64').toString('hex') : value,
  );
}
