import { eventually } from '../../support/eventually.js';
import { makeKey } from '../../support/api/api-builders.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/engines/webhook-receiver.js';

const SPEECH = { model: 'builtin/flite', voice: 'slt', input: 'Hi' };

describe('the export of records', () => {
  let service: TestService;
  let other: TestService;
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    receiver = await startWebhookReceiver();
    const env = { WEBHOOK_PRIVATE_HOSTS: '127.0.0.1', INTERN_RUNTIME: 'none' };
    service = await startTestService({ env });
    // Two replicas alternate in reading the records.
    other = await startTestService({ env, databaseUrl: service.databaseUrl });
  });
  afterAll(async () => {
    await other.stop();
    await service.stop();
    await receiver.close();
  });

  const positionIsSet = (): Promise<void> =>
    eventually(async () => {
      const [row] = await service.sql.query<{ seen: string | null }>('select seen::text as seen from export_position');
      expect(row!.seen).not.toBeNull();
    });
  // oxlint-disable-next-line typescript/no-explicit-any
  const generations = (): any[] => receiver.ofType('generation.batch').flatMap(({ json }) => json.data.generations);

  it('sends every call once, in batches to a webhook and as OTLP logs to a collector', async () => {
    const { key, hash } = await makeKey(service.management);
    const speak = async (): Promise<string> =>
      (await service.as(key).post('/audio/speech', { json: SPEECH })).headers.get('x-generation-id')!;
    // A call is recorded after its response. Wait for the record, because the export starts after the existing records.
    const earlier = await speak();
    await eventually(async () => expect((await service.as(key).get(`/generation?id=${earlier}`)).status).toBe(200));
    const events = ['generation.completed'];
    const headers = { 'X-Collector': 'a token' };
    await service.management.post('/webhooks', { json: { url: receiver.url, events } });
    await service.management.post('/webhooks', {
      json: { url: `${receiver.url}/v1/logs`, events, format: 'otlp', headers },
    });
    await positionIsSet();
    const ids: string[] = [];
    for (let index = 0; index < 5; index++) ids.push(...(await Promise.all([speak(), speak(), speak(), speak()])));

    await eventually(async () => expect(generations().length).toBeGreaterThanOrEqual(20), 20_000);
    const records = new Map(generations().map((record) => [record.id, record]));
    expect([...records.keys()].map(String).toSorted()).toEqual(ids.toSorted());
    expect(generations()).toHaveLength(20);
    expect(records.get(ids[0])).toMatchObject({
      model: 'builtin/flite',
      provider: 'builtin',
      provider_name: 'Gatehouse built-in',
      modality: 'speech',
      key_hash: hash,
      status: 200,
      usage: 0.000002,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });

    const logs = receiver.seen.filter(({ path }) => path.endsWith('/v1/logs'));
    // oxlint-disable-next-line typescript/no-explicit-any
    const lines = logs.flatMap(({ json }) => json.resourceLogs[0].scopeLogs[0].logRecords as any[]);
    const idsOfLines = lines.map(
      ({ attributes }) =>
        attributes.find(({ key: name }: { key: string }) => name === 'gatehouse.generation.id').value.stringValue,
    );
    expect(idsOfLines.map(String).toSorted()).toEqual(ids.toSorted());
    expect(lines[0].attributes).toContainEqual({
      key: 'gen_ai.request.model',
      value: { stringValue: 'builtin/flite' },
    });
    expect(logs[0]!.headers).toMatchObject({ 'x-collector': 'a token' });
    expect(logs[0]!.headers['webhook-signature']).toBeUndefined();
  });

  it('deletes its position when no webhook subscribes to records', async () => {
    for (const { id } of (await service.management.get('/webhooks')).json.data as { id: string }[])
      await service.management.delete(`/webhooks/${id}`);
    await eventually(async () => {
      const [row] = await service.sql.query<{ seen: string | null }>('select seen::text as seen from export_position');
      expect(row!.seen).toBeNull();
    });
  });
});
