import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { otlpJsonOf } from './otlp-protobuf.js';

export interface ReceivedSpan {
  readonly name: string;
  /** 2 = server, 3 = client. */
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** 2 = error. */
  readonly status: number | undefined;
}

export interface OtlpCollector {
  /** The value for OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly endpoint: string;
  readonly requests: readonly {
    readonly path: string;
    readonly headers: IncomingMessage['headers'];
    /** The request as JSON, whatever its format was. */
    readonly text: string;
  }[];
  /**
   * The response to all following requests: a status, no response, or a closed connection. Only requests with the
   * response 200 are kept.
   */
  respond: number | 'never' | 'reset';
  /** The number of requests so far, including refused ones. */
  readonly arrived: number;
  /** All spans so far, optionally of one trace. */
  spans(traceId?: string): ReceivedSpan[];
  /** The names of the metrics of the newest export. */
  metrics(): string[];
  close(): Promise<void>;
}

/** A receiver for OTLP over HTTP, in JSON or protobuf, compressed or not. */
export async function startOtlpCollector(): Promise<OtlpCollector> {
  const requests: OtlpCollector['requests'][number][] = [];
  let arrived = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      arrived++;
      const { respond } = collector;
      if (respond === 200)
        requests.push({ path: request.url!, headers: request.headers, text: textOf(request, Buffer.concat(chunks)) });
      if (respond === 'reset') request.socket.destroy();
      else if (respond !== 'never')
        response.writeHead(respond, { 'content-type': request.headers['content-type']! }).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // oxlint-disable-next-line typescript/no-explicit-any
  const bodies = (path: string): any[] =>
    requests.filter((request) => request.path === path).map(({ text }) => JSON.parse(text));
  const collector: OtlpCollector = {
    respond: 200,
    get arrived() {
      return arrived;
    },
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    spans: (traceId) =>
      bodies('/v1/traces')
        .flatMap(({ resourceSpans }) => resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans)
        .flatMap(({ spans }) => spans.map(spanOf) as ReceivedSpan[])
        .filter((span) => traceId === undefined || span.traceId === traceId),
    metrics: () =>
      (bodies('/v1/metrics').at(-1)?.resourceMetrics ?? [])
        // oxlint-disable-next-line typescript/no-explicit-any
        .flatMap(({ scopeMetrics }: any) => scopeMetrics[0].metrics.map(({ name }: { name: string }) => name)),
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return collector;
}

function textOf({ url, headers }: IncomingMessage, bytes: Buffer): string {
  const body = headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
  return headers['content-type'] === 'application/x-protobuf' ? otlpJsonOf(url!, body) : body.toString();
}

// oxlint-disable-next-line typescript/no-explicit-any
function spanOf({ name, kind, traceId, spanId, parentSpanId, attributes, status }: any): ReceivedSpan {
  const entries = attributes.map(({ key, value }: { key: string; value: object }) => [key, valueOf(value)]);
  return {
    name,
    kind,
    traceId,
    spanId,
    parentSpanId: parentSpanId || undefined,
    attributes: Object.fromEntries(entries),
    status: status?.code,
  };
}

function valueOf(value: object): unknown {
  const [plain] = Object.values(value) as [unknown];
  const { values } = (plain ?? {}) as { values?: object[] };
  return values ? values.map(valueOf) : plain;
}
