import { randomBytes } from 'node:crypto';
import { eventually } from '../../support/eventually.js';
import { startOtlpCollector, type OtlpCollector } from '../../support/engines/otlp-collector.js';
import { createTestDatabase } from '../../support/database/test-database.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';

const SERVER = 2;

describe('the OTLP exporter', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let collector: OtlpCollector;
  let service: TestService;
  let log = '';
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    collector = await startOtlpCollector();
    log = '';
  });
  afterEach(async () => {
    await service.stop();
    await collector.close();
  });

  const start = async (env: Readonly<Record<string, string>>): Promise<void> => {
    service = await startTestService({
      databaseUrl: database.url,
      logTo: (text) => (log += text),
      env: {
        INTERN_RUNTIME: 'none',
        LOG_LEVEL: 'info',
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
        OTEL_BSP_SCHEDULE_DELAY: '20',
        ...env,
      },
    });
  };
  /** Makes a successful call and returns its trace id. */
  const call = async (): Promise<string> => {
    const traceId = randomBytes(16).toString('hex');
    const json = { model: 'builtin/eliza', messages: [{ role: 'user', content: 'Hello' }] };
    const headers = { traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01` };
    expect((await service.standard.post('/chat/completions', { json, headers })).status).toBe(200);
    return traceId;
  };
  const received = (traceId: string): Promise<void> =>
    eventually(async () => expect(collector.spans(traceId)).toHaveLength(2));

  it.each([
    ['http/protobuf', 'none', 'application/x-protobuf'],
    ['http/protobuf', 'gzip', 'application/x-protobuf'],
    ['http/json', 'gzip', 'application/json'],
  ])('sends %s with the compression %s', async (protocol, compression, type) => {
    await start({
      OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
      OTEL_EXPORTER_OTLP_COMPRESSION: compression,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=a%20tenant,authorization=Bearer%20common',
      OTEL_EXPORTER_OTLP_METRICS_HEADERS: 'x-of=metrics',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=tests',
      OTEL_SERVICE_NAME: 'a-name',
      OTEL_METRIC_EXPORT_INTERVAL: '100',
    });
    const traceId = await call();
    await received(traceId);
    const spans = collector.spans(traceId);
    expect(spans.find(({ kind }) => kind === SERVER)).toMatchObject({
      name: 'POST /api/v1/chat/completions',
      attributes: { 'http.route': '/api/v1/chat/completions' },
    });
    expect(spans.map(({ name }) => name)).toContain('chat builtin/eliza');
    expect(spans.flatMap(({ attributes }) => attributes['gen_ai.response.finish_reasons'] ?? [])).toEqual(['stop']);
    await eventually(async () =>
      expect(collector.metrics()).toEqual(
        expect.arrayContaining(['gatehouse_overhead_seconds', 'gen_ai_client_operation_duration_seconds']),
      ),
    );
    const requestsTo = (path: string) => collector.requests.filter((request) => request.path === path);
    const encoding = compression === 'gzip' ? 'gzip' : undefined;
    for (const { headers, text } of collector.requests) {
      expect([headers['content-type'], headers['content-encoding']]).toEqual([type, encoding]);
      expect(text).toContain('"a-name"');
      expect(text).toContain('"deployment.environment.name"');
    }
    const common = { 'x-tenant': 'a tenant', authorization: 'Bearer common' };
    expect(requestsTo('/v1/traces')[0]!.headers).toMatchObject(common);
    const { headers } = requestsTo('/v1/metrics')[0]!;
    expect([headers['x-of'], headers['x-tenant'], headers.authorization]).toEqual(['metrics', undefined, undefined]);
  });

  it('prefers the variables of a signal to the common variables', async () => {
    await start({
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-of=traces',
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=common',
      OTEL_METRICS_EXPORTER: 'none',
      OTEL_METRIC_EXPORT_INTERVAL: '100',
    });
    await received(await call());
    const [{ headers }] = collector.requests as readonly [OtlpCollector['requests'][number]];
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'x-of': 'traces' });
    expect(headers['x-tenant']).toBeUndefined();
    expect(collector.requests.map(({ path }) => path)).not.toContain('/v1/metrics');
  });

  it.each<['500' | 'hangs' | 'refuses']>([['500'], ['hangs'], ['refuses']])(
    'drops data while the collector fails (%s), and writes one log line for the failure',
    async (fault) => {
      collector.respond = fault === 'hangs' ? 'never' : fault === '500' ? 500 : 403;
      await start({
        OTEL_EXPORTER_OTLP_TIMEOUT: '100',
        OTEL_BSP_MAX_QUEUE_SIZE: '8',
        OTEL_METRICS_EXPORTER: 'none',
      });
      const occurrences = (text: string): number => log.split(text).length - 1;
      const lost: string[] = [];
      await eventually(async () => {
        lost.push(await call());
        // Several exports have failed by now.
        expect(collector.arrived).toBeGreaterThan(3);
      }, 20_000);
      await eventually(async () => expect(occurrences('OTLP traces could not be sent')).toBe(1));
      collector.respond = 200;
      const later: string[] = [];
      await eventually(async () => {
        later.push(await call());
        expect(later.some((traceId) => collector.spans(traceId).length === 2)).toBe(true);
      }, 20_000);
      await eventually(async () => expect(occurrences('OTLP traces are being sent again')).toBe(1));
      expect(occurrences('OTLP traces could not be sent')).toBe(1);
      // Waiting spans that exceed the queue are dropped.
      const kept = new Set(collector.spans().map(({ traceId }) => traceId));
      expect(lost.some((traceId) => !kept.has(traceId))).toBe(true);
    },
  );
});
