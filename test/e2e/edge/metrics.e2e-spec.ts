import { readFileSync } from 'node:fs';
import { MetricsListener } from '../../../src/http/metrics/metrics-listener.js';
import { eventually } from '../../support/eventually.js';
import { MetricsText } from '../../support/api/metrics-text.js';
import {
  alertExpressions,
  alertNames,
  dashboardExpressions,
  namesIn,
  RULES_FILE,
} from '../../support/api/observability-files.js';
import { prometheusIsInstalled, promtool } from '../../support/engines/prometheus.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';
import { startTextStage, type TextStage } from '../../support/calls/text-stage.js';

const TOKEN = 'a-token-of-the-scraper-0123456789';
const OPENMETRICS = 'application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5';
const whenPrometheus = prometheusIsInstalled() ? it : it.skip;

describe('GET /metrics', () => {
  let stage: TextStage;
  /** Another replica with its own port and without a token. */
  let replica: TestService;
  beforeAll(async () => {
    stage = await startTextStage({ env: { METRICS_TOKEN: TOKEN, METRICS_PORT: '0' } });
    replica = await startTestService({ databaseUrl: stage.service.databaseUrl, env: { METRICS_PORT: '0' } });
  });
  afterAll(async () => {
    await replica.stop();
    await stage.stop();
  });

  const listenerOf = (service: TestService): string => service.app.get(MetricsListener, { strict: false }).origin!;
  const get = (origin: string, authorization?: string, accept = '*/*', path = '/metrics'): Promise<Response> =>
    fetch(origin + path, { headers: { accept, ...(authorization === undefined ? {} : { authorization }) } });
  const pageOf = async (origin: string, authorization?: string): Promise<MetricsText> =>
    new MetricsText(await (await get(origin, authorization)).text());
  const ledgerOf = async (): Promise<{ calls: number; cost: bigint }> => {
    const [row] = await stage.service.sql.query<{ calls: number; cost: bigint }>(
      `select (select count(*)::int from generation) as calls,
         (select coalesce(-sum(amount), 0)::bigint from ledger_line where kind = 'generation') as cost`,
    );
    return row!;
  };

  it('requires METRICS_TOKEN on both ports if the variable is set', async () => {
    for (const origin of [stage.service.origin, listenerOf(stage.service)]) {
      for (const authorization of [
        undefined,
        'Bearer',
        `Bearer ${TOKEN}x`,
        `Bearer ${TOKEN.slice(1)}`,
        `Basic ${TOKEN}`,
      ]) {
        const response = await get(origin, authorization);
        expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
        expect(await response.text()).not.toContain('gatehouse_');
      }
      expect((await get(origin, `Bearer ${TOKEN}`)).status).toBe(200);
    }
  });

  it('without METRICS_TOKEN is not found on the API port, and is open on METRICS_PORT', async () => {
    expect((await get(replica.origin)).status).toBe(404);
    expect((await get(replica.origin, `Bearer ${TOKEN}`)).status).toBe(404);
    expect((await get(`${stage.service.origin}/api/v1`, `Bearer ${TOKEN}`)).status).toBe(404);
    expect((await get(listenerOf(replica))).status).toBe(200);
    expect((await get(listenerOf(replica), undefined, '*/*', '/api/v1/models')).status).toBe(404);
    expect((await fetch(`${listenerOf(replica)}/metrics`, { method: 'POST' })).status).toBe(404);
  });

  it('is OpenMetrics if the client accepts it, and otherwise the text format of Prometheus', async () => {
    const open = await get(listenerOf(replica), undefined, OPENMETRICS);
    expect(open.headers.get('content-type')).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
    const text = await open.text();
    expect(text.endsWith('\n# EOF\n')).toBe(true);
    expect(text).toContain('# TYPE gatehouse_cost_usd counter\n');
    const plain = await get(listenerOf(replica), undefined, 'text/html,*/*;q=0.1');
    expect(plain.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(await plain.text()).toContain('# TYPE gatehouse_cost_usd_total counter\n');
  });

  it('reports the calls, tokens and cost of the ledger, with the same values on every replica', async () => {
    const { vendors } = stage;
    for (let turn = 0; turn < 3; turn++) expect((await stage.chat({})).status).toBe(200);
    vendors.openai.script({ status: 500 });
    expect((await stage.chat({})).status).toBe(502);
    const { calls, cost } = await ledgerOf();
    expect([calls, cost > 0n]).toEqual([4, true]);

    const count = 'gen_ai_client_operation_duration_seconds_count';
    const own = await eventually(async () => {
      const page = await pageOf(listenerOf(replica));
      expect(page.sum(count)).toBe(calls);
      return page;
    });
    const other = await pageOf(stage.service.origin, `Bearer ${TOKEN}`);
    const labels = {
      gen_ai_operation_name: 'chat',
      gen_ai_provider_name: 'openai',
      gen_ai_request_model: 'rules/openai',
    };
    for (const page of [own, other]) {
      expect(page.sum(count, labels)).toBe(4);
      expect(page.nano('gatehouse_cost_usd_total', labels)).toBe(cost);
      expect(page.values('gatehouse_requests_total', { ...labels, outcome: 'success' })).toEqual(['3']);
      expect(page.values('gatehouse_requests_total', { ...labels, outcome: 'error' })).toEqual(['1']);
      const [row] = await stage.service.sql.query<{ prompt: bigint; completion: bigint; ms: bigint }>(
        `select sum(tokens_prompt)::bigint as prompt, sum(tokens_completion)::bigint as completion,
           sum(duration_ms)::bigint as ms from generation`,
      );
      expect(page.sum('gen_ai_client_token_usage_sum', { ...labels, gen_ai_token_type: 'input' })).toBe(
        Number(row!.prompt),
      );
      expect(page.sum('gen_ai_client_token_usage_sum', { ...labels, gen_ai_token_type: 'output' })).toBe(
        Number(row!.completion),
      );
      expect(page.sum('gen_ai_client_token_usage_count', { ...labels, gen_ai_token_type: 'output' })).toBe(3);
      expect(page.sum('gen_ai_client_operation_duration_seconds_sum', labels)).toBeCloseTo(Number(row!.ms) / 1000, 6);
    }
  });

  it("shows the service's overhead, its ledger and its process", async () => {
    await stage.chat({});
    const page = await pageOf(stage.service.origin, `Bearer ${TOKEN}`);
    expect(page.sum('gatehouse_overhead_seconds_count')).toBeGreaterThan(0);
    expect(page.sum('gatehouse_overhead_seconds_sum')).toBeGreaterThan(0);
    const reserved = page.sum('gatehouse_reservations_total', { outcome: 'reserved' });
    expect(reserved).toBe(page.sum('gatehouse_ledger_batch_size_sum', { kind: 'reserve' }));
    expect(page.sum('gatehouse_ledger_batch_size_sum', { kind: 'finish' })).toBe(reserved);
    for (const name of [
      'gatehouse_outbox_lag_seconds',
      'gatehouse_unknown_outcomes_total',
      'gatehouse_unlisted_outcomes_total',
      'gatehouse_open_calls',
    ])
      expect(page.values(name)).toHaveLength(1);
    expect(page.sum('gatehouse_interns', { status: 'running' })).toBe(0);
    expect(page.sum('process_resident_memory_bytes')).toBeGreaterThan(1e6);
    expect(page.sum('gatehouse_metrics_source_up', { source: 'usage' })).toBe(1);
    expect(page.samples.length).toBeLessThan(2_000);
  });

  it('counts each HTTP response to a caller, by status', async () => {
    const counts = async (): Promise<number[]> => {
      const page = await pageOf(listenerOf(stage.service), `Bearer ${TOKEN}`);
      return ['200', '401', '404'].map((status) => page.sum('gatehouse_http_responses_total', { status }));
    };
    const [ok, unauthenticated, notFound] = await counts();
    await stage.chat({});
    await fetch(`${stage.service.origin}/api/v1/key`);
    await fetch(`${stage.service.origin}/nothing`);
    expect(await counts()).toEqual([ok! + 1, unauthenticated! + 1, notFound! + 1]);
  });

  it('has no label of a key, a user or a generation', async () => {
    const page = await pageOf(listenerOf(replica));
    const names = new Set(page.samples.flatMap(({ labels }) => Object.keys(labels)));
    const allowed =
      'gen_ai_operation_name gen_ai_provider_name gen_ai_request_model gen_ai_token_type le outcome kind status ' +
      'endpoint source statistic version node replica';
    expect([...names].filter((name) => !allowed.split(' ').includes(name))).toEqual([]);
  });

  whenPrometheus('passes the check of promtool', async () => {
    const { text } = await pageOf(listenerOf(replica));
    expect(promtool(['check', 'metrics'], text)).toEqual({ code: 0, output: '' });
  });

  describe('as the source of the dashboard and the alerts:', () => {
    const expressions = [...dashboardExpressions, ...alertExpressions];
    /** Metrics of Prometheus itself, and labels that it adds. */
    const [ITS_METRICS, ITS_LABELS] = [['up'], ['instance', 'job']];

    it('the dashboard and the alerts name only metrics and labels that exist', async () => {
      expect(alertExpressions).toHaveLength(alertNames.length);
      expect(expressions.length).toBeGreaterThan(30);
      const page = await pageOf(listenerOf(replica));
      const metrics = new Set([...page.families, ...page.samples.map(({ name }) => name), ...ITS_METRICS]);
      const labels = new Set([
        ...page.samples.flatMap((sample) => Object.keys(sample.labels)),
        'endpoint',
        ...ITS_LABELS,
      ]);
      for (const { place, expr } of expressions) {
        const named = namesIn(expr);
        const unknown = [
          ...named.metrics.filter((name) => !metrics.has(name)),
          ...named.labels.filter((name) => !labels.has(name)),
        ];
        expect([place, named.metrics.length > 0, unknown]).toEqual([place, true, []]);
      }
    });

    it('docs/operations/monitoring.md explains every metric and every alert', async () => {
      const docs = readFileSync('docs/operations/monitoring.md', 'utf8');
      const { families } = await pageOf(listenerOf(replica));
      expect([...families, ...alertNames].filter((name) => !docs.includes(`\`${name}\``))).toEqual([]);
    });

    whenPrometheus('promtool accepts the alert rules', () => {
      expect(promtool(['check', 'rules', RULES_FILE]).code).toBe(0);
    });
  });
});
