import { setTimeout as sleep } from 'node:timers/promises';
import { randomBytes, randomUUID } from 'node:crypto';
import { makeKey } from '../../support/api/api-builders.js';
import { eventually } from '../../support/eventually.js';
import { startOtlpCollector, type OtlpCollector, type ReceivedSpan } from '../../support/engines/otlp-collector.js';
import { startTestService, TEST_API_KEY, type TestService } from '../../support/services/test-service.js';
import { aTextEndpoint, startTextStage, type TextStage } from '../../support/calls/text-stage.js';

const PROMPT = 'a-prompt-that-no-trace-may-hold';
const SERVER = 2;
const CLIENT = 3;
const ERROR = 2;

describe('traces', () => {
  let collector: OtlpCollector;
  let stage: TextStage;
  let log = '';
  beforeAll(async () => {
    collector = await startOtlpCollector();
    stage = await startTextStage({
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
        OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
        OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20of-the-collector',
        OTEL_BSP_SCHEDULE_DELAY: '50',
        OTEL_METRIC_EXPORT_INTERVAL: '500',
        TRACEPARENT_TO_PROVIDERS: 'true',
        LOG_LEVEL: 'info',
        LOG_FORMAT: 'json',
      },
      logTo: (text) => (log += text),
    });
  });
  afterAll(async () => {
    await stage.stop();
    await collector.close();
  });

  const newTrace = (flags = '01'): { traceId: string; parentId: string; traceparent: string } => {
    const [traceId, parentId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
    return { traceId, parentId, traceparent: `00-${traceId}-${parentId}-${flags}` };
  };
  const spansOf = (traceId: string, count: number): Promise<ReceivedSpan[]> =>
    eventually(async () => {
      const spans = collector.spans(traceId);
      expect(spans).toHaveLength(count);
      return spans;
    });
  const messages = [{ role: 'user', content: PROMPT }];

  it('follow one request id from the caller through log, trace, generation and the attempts at vendors', async () => {
    const { traceId, parentId, traceparent } = newTrace();
    const requestId = randomUUID();
    const vendors = [aTextEndpoint('openai'), aTextEndpoint('deepinfra')];
    stage.teach('rules/two', vendors);
    stage.vendors.openai.script({ status: 500 });
    stage.vendors.deepinfra.script({ status: 500 });
    stage.vendors.openai.seen.length = stage.vendors.deepinfra.seen.length = 0;
    const body = { model: 'rules/two', models: ['rules/mistral'], messages };
    const response = await stage.chat(body, { headers: { traceparent, 'x-request-id': requestId } });
    expect([response.status, response.headers.get('x-request-id')]).toEqual([200, requestId]);
    const generationId = response.headers.get('x-generation-id')!;

    const spans = await spansOf(traceId, 4);
    const server = spans.find(({ kind }) => kind === SERVER)!;
    expect(server).toMatchObject({ name: 'POST /api/v1/chat/completions', parentSpanId: parentId });
    expect(server.attributes).toMatchObject({
      'http.route': '/api/v1/chat/completions',
      'http.response.status_code': 200,
      'gatehouse.request_id': requestId,
      'gatehouse.generation_id': generationId,
    });
    const attempts = spans.filter(({ kind }) => kind === CLIENT);
    for (const attempt of attempts) {
      expect(attempt.parentSpanId).toBe(server.spanId);
      expect(attempt.attributes).toMatchObject({
        'gen_ai.operation.name': 'chat',
        'gatehouse.request_id': requestId,
        'gatehouse.generation_id': generationId,
      });
    }
    const failed = attempts.filter(({ status }) => status === ERROR);
    expect(failed.map(({ name, attributes }) => [name, attributes['error.type']])).toEqual([
      ['chat rules/two', 'provider_failed'],
      ['chat rules/two', 'provider_failed'],
    ]);
    const billed = attempts.find(({ status }) => status !== ERROR)!;
    expect(billed.name).toBe('chat rules/mistral');
    expect(billed.attributes).toMatchObject({
      'gen_ai.provider.name': 'mistral',
      'gen_ai.request.model': 'rules/mistral',
      'gen_ai.response.finish_reasons': ['stop'],
    });
    const { data } = (await stage.service.standard.get(`/generation?id=${generationId}`)).json;
    expect(Number(billed.attributes['gen_ai.usage.input_tokens'])).toBe(data.tokens_prompt);
    expect(Number(billed.attributes['gen_ai.usage.output_tokens'])).toBe(data.tokens_completion);

    expect(data.request_id).toBe(requestId);
    expect(data.provider_responses.map(({ status }: { status: number }) => status)).toEqual([500, 500, 200]);
    const lines = log
      .split('\n')
      .filter((line) => line.includes(requestId))
      .map((line) => JSON.parse(line));
    expect(lines.map(({ context }) => context)).toEqual(['vendors', 'vendors', 'access']);
    for (const line of lines) expect(line).toMatchObject({ trace_id: traceId, generation_id: generationId });

    const sent = [stage.vendors.openai, stage.vendors.deepinfra].map(({ seen }) => seen.at(-1)!.headers['traceparent']);
    expect(new Set(sent)).toEqual(new Set(failed.map(({ spanId }) => `00-${traceId}-${spanId}-01`)));
  });

  it('contain the usage of a stream', async () => {
    const { traceId, traceparent } = newTrace();
    await stage.chat({ stream: true, messages }, { headers: { traceparent } });
    const spans = await spansOf(traceId, 2);
    const { attributes } = spans.find(({ kind }) => kind === CLIENT)!;
    expect(Number(attributes['gen_ai.usage.output_tokens'])).toBeGreaterThan(0);
  });

  it('are neither exported nor passed to vendors if the caller does not sample', async () => {
    const unsampled = newTrace('00');
    await stage.chat({ messages }, { headers: { traceparent: unsampled.traceparent } });
    expect(stage.vendors.openai.seen.at(-1)!.headers['traceparent']).toBeUndefined();
    const sampled = newTrace();
    await stage.chat({ messages }, { headers: { traceparent: sampled.traceparent } });
    await spansOf(sampled.traceId, 2);
    expect(collector.spans(unsampled.traceId)).toEqual([]);
  });

  it.each([
    '',
    'a',
    '00-0-0-01',
    `00-${'g'.repeat(32)}-${'1'.repeat(16)}-01`,
    `00-${'0'.repeat(32)}-${'1'.repeat(16)}-01`,
  ])('start without a parent if the traceparent is "%s"', async (traceparent) => {
    const requestId = randomUUID();
    await stage.chat({ messages }, { headers: { traceparent, 'x-request-id': requestId } });
    const server = await eventually(async () => {
      const found = collector
        .spans()
        .find(({ kind, attributes }) => kind === SERVER && attributes['gatehouse.request_id'] === requestId);
      expect(found).toBeDefined();
      return found!;
    });
    expect(server.parentSpanId).toBeUndefined();
  });

  it('and metrics are exported to one endpoint with the same headers, without secrets', async () => {
    await eventually(async () => expect(collector.metrics()).toContain('gen_ai_client_operation_duration_seconds'));
    expect(collector.metrics()).toEqual(expect.arrayContaining(['gatehouse_cost_usd', 'gatehouse_overhead_seconds']));
    for (const { headers, text } of collector.requests) {
      expect(headers.authorization).toBe('Bearer of-the-collector');
      for (const secret of [PROMPT, TEST_API_KEY, 'credential-of', 'of-the-collector'])
        expect(text).not.toContain(secret);
    }
  });

  describe('of a service that', () => {
    let service: TestService;
    let ownLog: string;
    const start = async (env: Readonly<Record<string, string>>): Promise<void> => {
      ownLog = '';
      const logTo = (text: string): void => void (ownLog += text);
      service = await startTestService({ databaseUrl: stage.service.databaseUrl, env, logTo });
    };
    afterEach(() => service.stop());
    const ask = async (headers: object = {}): Promise<number> => {
      const content = `${PROMPT} and sk-abcdef0123456789abcdef0123456789`;
      const json = { model: 'builtin/eliza', messages: [{ role: 'user', content }] };
      return (await service.standard.post('/chat/completions', { json, headers: { ...headers } })).status;
    };

    it('records prompts contain the prompts, without secrets', async () => {
      await start({
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.endpoint}/v1/traces`,
        OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
        OTEL_BSP_SCHEDULE_DELAY: '50',
        OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true',
      });
      const { traceId, traceparent } = newTrace();
      expect(await ask({ traceparent })).toBe(200);
      const spans = await spansOf(traceId, 2);
      const prompt = spans.find(({ kind }) => kind === CLIENT)!.attributes['gen_ai.input.messages'];
      expect(prompt).toContain(PROMPT);
      expect(prompt).not.toContain('sk-abcdef');
      expect(JSON.parse(String(prompt))[0]).toMatchObject({ role: 'user', parts: [{ type: 'text' }] });

      // Responses are exported only for keys that opted in.
      const output = (from: readonly ReceivedSpan[]): unknown =>
        from.find(({ kind }) => kind === CLIENT)!.attributes['gen_ai.output.messages'];
      expect(output(spans)).toBeUndefined();
      const { key, hash } = await makeKey(service.management);
      await service.management.put(`/keys/${hash}/settings`, { json: { export_content: true } });
      const opted = newTrace();
      const json = { model: 'builtin/eliza', messages };
      const response = await service.as(key).post('/chat/completions', {
        json,
        headers: { traceparent: opted.traceparent },
      });
      expect(JSON.parse(String(output(await spansOf(opted.traceId, 2))))).toEqual([
        {
          role: 'assistant',
          parts: [{ type: 'text', content: response.json.choices[0].message.content }],
          finish_reason: 'stop',
        },
      ]);
    });

    it('lost the connection to its collector are dropped, and later spans are sent', async () => {
      const own = await startOtlpCollector();
      own.respond = 'reset';
      await start({
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${own.endpoint}/v1/traces`,
        OTEL_BSP_SCHEDULE_DELAY: '50',
        OTEL_EXPORTER_OTLP_TIMEOUT: '200',
        LOG_LEVEL: 'warn',
      });
      const [lost, later] = [newTrace(), newTrace()];
      const before = own.arrived;
      expect(await ask({ traceparent: lost.traceparent })).toBe(200);
      await eventually(async () => expect(ownLog).toContain('OTLP traces could not be sent'));
      // The failure in the log may be of earlier spans. The spans of this call are dropped after the timeout.
      await eventually(async () => expect(own.arrived).toBeGreaterThan(before));
      await sleep(300);
      own.respond = 200;
      expect(await ask({ traceparent: later.traceparent })).toBe(200);
      await eventually(async () => expect(own.spans(later.traceId)).toHaveLength(2));
      // The failed export had at least one of the two spans.
      expect(own.spans(lost.traceId).length).toBeLessThan(2);
      await own.close();
    });

    it('cannot reach its collector do not prevent calls or the stop of the service', async () => {
      await start({
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
        OTEL_BSP_SCHEDULE_DELAY: '50',
        OTEL_EXPORTER_OTLP_TIMEOUT: '200',
      });
      for (let turn = 0; turn < 5; turn++) expect(await ask()).toBe(200);
    });
  });
});
