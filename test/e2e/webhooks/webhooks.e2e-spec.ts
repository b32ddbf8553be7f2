import { Webhook } from 'standardwebhooks';
import { makeKey } from '../../support/api/api-builders.js';
import { eventually } from '../../support/eventually.js';
import { INSIDE_TARGETS } from '../../support/secrets/inside-targets.js';
import { makeSecondAccount } from '../../support/money/second-account.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/engines/webhook-receiver.js';

describe('webhooks', () => {
  let service: TestService;
  let receiver: WebhookReceiver;
  let printed = '';
  const ids: string[] = [];
  beforeAll(async () => {
    receiver = await startWebhookReceiver();
    service = await startTestService({
      env: { WEBHOOK_PRIVATE_HOSTS: '127.0.0.1', INTERN_RUNTIME: 'none', LOG_LEVEL: 'debug' },
      logTo: (text) => (printed += text),
    });
  });
  afterAll(async () => {
    await service.stop();
    await receiver.close();
  });
  afterEach(async () => {
    for (const id of ids.splice(0)) await service.management.delete(`/webhooks/${id}`);
    receiver.seen.length = 0;
    receiver.respond = 200;
  });

  async function aWebhook(events: string[], fields: object = {}): Promise<{ id: string; secret: string }> {
    const json = { url: receiver.url, events, ...fields };
    const answer = await service.management.post('/webhooks', { json });
    expect(answer.status).toBe(201);
    ids.push(answer.json.data.id);
    return { id: answer.json.data.id, secret: answer.json.secret };
  }

  it('are created with a secret that no later response contains', async () => {
    const json = { url: receiver.url, events: ['key.created', 'key.created', 'credits.low'] };
    const { status, json: created } = await service.management.post('/webhooks', { json });
    ids.push(created.data.id);
    expect(status).toBe(201);
    expect(created.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(created.data).toEqual({
      id: expect.any(String),
      url: receiver.url,
      to: null,
      format: 'signed',
      events: ['key.created', 'credits.low'],
      disabled: false,
      disabled_reason: null,
      created_at: expect.any(String),
      updated_at: null,
    });
    const path = `/webhooks/${created.data.id}`;
    expect((await service.management.get(path)).json).toEqual({ data: created.data });
    expect((await service.management.get('/webhooks')).json).toEqual({ data: [created.data], total_count: 1 });
    const changed = await service.management.patch(path, { json: { events: ['intern.failed'], disabled: true } });
    expect(changed.json.data).toMatchObject({
      events: ['intern.failed'],
      disabled: true,
      disabled_reason: 'owner',
      updated_at: expect.any(String),
    });
    expect((await service.management.delete(path)).json).toEqual({ deleted: true });
    expect((await service.management.get(path)).status).toBe(404);
  });

  it('deliver an event once, with a signature that the library of Standard Webhooks verifies', async () => {
    const { secret } = await aWebhook(['key.created', 'key.disabled']);
    const key = await makeKey(service.management, { name: 'watched' });
    await service.management.patch(`/keys/${key.hash}`, { json: { disabled: true } });
    await service.management.patch(`/keys/${key.hash}`, { json: { name: 'renamed' } });

    await eventually(async () => expect(receiver.seen).toHaveLength(2));
    const [created] = receiver.ofType('key.created');
    const { workspace_id } = key.data;
    expect(created!.json).toEqual({
      type: 'key.created',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      data: { hash: key.hash, name: 'watched', workspace_id },
    });
    expect(receiver.ofType('key.disabled')[0]!.json.data.hash).toBe(key.hash);
    for (const { body, headers, json } of receiver.seen)
      expect(new Webhook(secret).verify(body, headers)).toEqual(json);
    expect(() => new Webhook(secret).verify(created!.body.replace('watched', 'changed'), created!.headers)).toThrow();
  });

  it('deliver only the types that they subscribe to, and nothing of another account', async () => {
    const other = await makeSecondAccount(service);
    const others = await service.as(other.managementKey).post('/webhooks', {
      json: { url: `${receiver.url}/other`, events: ['key.created'] },
    });
    await aWebhook(['credits.low']);
    const { id } = await aWebhook(['key.created'], { url: `${receiver.url}/own` });
    await makeKey(service.management);
    await eventually(async () => expect(receiver.seen).toHaveLength(1));
    expect(receiver.seen[0]!.path).toBe('/hook/own');

    for (const [method, path] of [
      ['get', ''],
      ['patch', ''],
      ['delete', ''],
      ['post', '/test'],
      ['post', '/rotate'],
      ['get', '/deliveries'],
    ] as const) {
      const request = method === 'patch' ? { json: {} } : {};
      const answer = await service.as(other.managementKey)[method](`/webhooks/${id}${path}`, request);
      expect(answer.status).toBe(404);
    }
    await service.as(other.managementKey).delete(`/webhooks/${others.json.data.id}`);
  });

  it('send a test event at once, and log it with its status and without a body', async () => {
    const { id, secret } = await aWebhook(['intern.failed']);
    const { status, json } = await service.management.post(`/webhooks/${id}/test`);
    expect(status).toBe(200);
    const [seen] = receiver.seen;
    expect(new Webhook(secret).verify(seen!.body, seen!.headers)).toMatchObject({
      type: 'webhook.test',
      data: { webhook_id: id },
    });
    expect(json.data).toEqual({
      id: expect.any(String),
      event_id: seen!.headers['webhook-id'],
      type: 'webhook.test',
      status: 'delivered',
      attempts: 1,
      response_status: 200,
      error: null,
      created_at: expect.any(String),
      last_attempt_at: expect.any(String),
      next_attempt_at: null,
    });
    receiver.respond = 500;
    const failed = (await service.management.post(`/webhooks/${id}/test`)).json.data;
    expect(failed).toMatchObject({ status: 'failed', response_status: 500, next_attempt_at: null });
    const log = (await service.management.get(`/webhooks/${id}/deliveries`)).json;
    expect(log).toEqual({ data: [failed, json.data], total_count: 2 });
    expect(JSON.stringify(log)).not.toContain('nobody stores');
  });

  it('sign with the new and the previous secret after a rotation', async () => {
    const { id, secret } = await aWebhook(['key.created']);
    const { status, json } = await service.management.post(`/webhooks/${id}/rotate`);
    expect(status).toBe(200);
    expect(json.secret).not.toBe(secret);
    await service.management.post(`/webhooks/${id}/test`);
    const { body, headers } = receiver.seen[0]!;
    for (const valid of [secret, json.secret]) expect(new Webhook(valid).verify(body, headers)).toBeDefined();
    expect(headers['webhook-signature']!.split(' ')).toHaveLength(2);

    await service.sql.query(`update webhook set previous_until = now() - interval '1 s' where id = $1`, [id]);
    await service.management.post(`/webhooks/${id}/test`);
    expect(() => new Webhook(secret).verify(receiver.seen[1]!.body, receiver.seen[1]!.headers)).toThrow();
  });

  it('keep no secret in the clear: not in the tables, the audit, the log or a response', async () => {
    const { id, secret } = await aWebhook(['key.created'], { headers: { authorization: 'Bearer CanaryHeader' } });
    const rotated = (await service.management.post(`/webhooks/${id}/rotate`)).json.secret;
    await service.management.post(`/webhooks/${id}/test`);
    expect(receiver.seen[0]!.headers['authorization']).toBe('Bearer CanaryHeader');
    const tables = ['webhook', 'webhook_delivery', 'event', 'audit_entry'];
    const rows = await Promise.all(
      tables.map((table) => service.sql.query<{ row: string }>(`select t::text as row from ${table} t`)),
    );
    const answers = await Promise.all(
      ['', '/deliveries'].map((path) => service.management.get(`/webhooks/${id}${path}`)),
    );
    const texts = [printed, ...rows.flat().map(({ row }) => row), ...answers.map(({ text }) => text)].join('\n');
    for (const canary of [secret, rotated, 'CanaryHeader']) {
      const bare = canary.replace('whsec_', '');
      for (const form of [bare, Buffer.from(bare).toString('hex'), Buffer.from(bare, 'base64').toString('hex')])
        expect(texts).not.toContain(form);
    }
    const audit = await service.sql.query<{ action: string }>(
      `select action from audit_entry where resource_kind = 'webhook' and resource_id = $1 order by id`,
      [id],
    );
    expect(audit.map(({ action }) => action)).toEqual(expect.arrayContaining(['create', 'rotate', 'use']));
  });

  it(`refuse ${INSIDE_TARGETS.length} addresses inside the network, and URLs that are not allowed`, async () => {
    // Some spellings are normalised to 127.0.0.1, which WEBHOOK_PRIVATE_HOSTS allows. All other targets must be
    // refused.
    const inside = INSIDE_TARGETS.map((target) => `https://${target}:8443/hook`);
    const other = [
      'http://example.com/',
      'ftp://example.com/',
      'https://u:p@example.com/',
      'https://localhost/',
      'https://intranet/hook',
      'https://printer.local/hook',
      'https://vault.internal/hook',
      'https://hooks.example.com:0/',
      'https://hooks.example.com:22/',
      'https://hooks.example.com:80/',
      'https://hooks.example.com:6667/',
      'https://hooks.exa\r\nmple.com/',
      'https://hooks.example.com/a\r\nHost: inside',
      'https://hooks.example.com/\t',
      ' https://hooks.example.com/',
      'x',
      '',
    ];
    const { id } = await aWebhook(['key.created']);
    await service.management.patch(`/webhooks/${id}`, { json: { disabled: true } });
    const allowed: string[] = [];
    for (const url of [...inside, ...other]) {
      const posted = await service.management.post('/webhooks', { json: { url, events: ['key.created'] } });
      const patched = await service.management.patch(`/webhooks/${id}`, { json: { url } });
      if (posted.status !== 400 || patched.status !== 400) allowed.push(url);
      if (posted.status === 201) ids.push(posted.json.data.id);
    }
    const isListed = (url: string): boolean => URL.canParse(url) && new URL(url).hostname === '127.0.0.1';
    expect(allowed.filter((url) => !isListed(url) || url.includes('@'))).toEqual([]);
    expect(allowed.every(isListed)).toBe(true);
  });

  it('with headers can change to another host only if the change also sets the headers', async () => {
    const { id } = await aWebhook(['key.created'], { headers: { authorization: 'Bearer receiver' } });
    const change = (json: object) => service.management.patch(`/webhooks/${id}`, { json });
    const url = 'https://attacker.example/';
    const refused = await change({ url });
    expect([refused.status, refused.json.error.message]).toEqual([400, expect.stringContaining('headers')]);
    expect((await change({ url: `${receiver.url}/elsewhere` })).status).toBe(200);
    expect((await service.management.get(`/webhooks/${id}`)).json.data.url).toBe(`${receiver.url}/elsewhere`);
    expect((await change({ url, headers: { authorization: 'Bearer other' } })).status).toBe(200);
    expect((await change({ headers: null })).status).toBe(200);
    expect((await change({ url: receiver.url })).status).toBe(200);
  });

  it.each([
    ['no events', { events: [] }],
    ['an unknown type', { events: ['webhook.test'] }],
    ['an unknown member', { events: ['key.created'], secret: 'x' }],
    ['a header of the signature', { events: ['key.created'], headers: { 'Webhook-Id': 'x' } }],
    ['a header with a line break', { events: ['key.created'], headers: { a: 'x\r\nb: c' } }],
  ])('refuse a body with %s', async (_, fields) => {
    const answer = await service.management.post('/webhooks', { json: { url: receiver.url, ...fields } });
    expect(answer.status).toBe(400);
  });
});
