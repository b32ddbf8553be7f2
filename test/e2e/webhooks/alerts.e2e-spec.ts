import { makeKey } from '../../support/api/api-builders.js';
import { startChatReceiver, type ChatService } from '../../support/engines/chat-receiver.js';
import { startMailServer, type MailServer } from '../../support/engines/mail-server.js';
import type { WebhookReceiver } from '../../support/engines/webhook-receiver.js';
import { eventually } from '../../support/eventually.js';
import { SetClock, startTestService, type TestService } from '../../support/services/test-service.js';

/** Two characters on the built-in voice cost 0.000002 USD. */
const SPEECH = { model: 'builtin/flite', voice: 'slt', input: 'Hi' };
const SERVICES = ['slack', 'discord', 'teams'] as const;
const NOON = Date.parse('2026-11-27T12:00:00Z');

describe('alerts to people', () => {
  let service: TestService;
  let mails: MailServer;
  let printed = '';
  const clock = new SetClock(new Date(NOON));
  const chats = new Map<ChatService, WebhookReceiver>();
  const chat = (name: ChatService): WebhookReceiver => chats.get(name)!;
  beforeAll(async () => {
    for (const name of SERVICES) chats.set(name, await startChatReceiver(name));
    mails = await startMailServer();
    service = await startTestService({
      clock,
      env: {
        WEBHOOK_PRIVATE_HOSTS: '127.0.0.1',
        INTERN_RUNTIME: 'none',
        PUBLIC_BASE_URL: 'https://gate.example.com',
        SMTP_URL: `smtp://localhost:${mails.port}`,
        SMTP_FROM: 'Gatehouse <alerts@example.com>',
        LOG_LEVEL: 'debug',
      },
      logTo: (text) => (printed += text),
    });
  });
  afterAll(async () => {
    await service.stop();
    await mails.close();
    for (const receiver of chats.values()) await receiver.close();
  });
  afterEach(async () => {
    for (const { id } of (await service.management.get('/webhooks')).json.data)
      await service.management.delete(`/webhooks/${id}`);
    for (const receiver of chats.values()) receiver.seen.length = 0;
    mails.seen.length = 0;
    clock.set(new Date(NOON));
  });

  const post = (json: object) => service.management.post('/webhooks', { json });
  async function made(json: object): Promise<{ id: string; url: string | null; to: string | null }> {
    const answer = await post(json);
    expect([answer.status, answer.json.error]).toEqual([201, undefined]);
    expect(answer.json.secret).toBeNull();
    return answer.json.data;
  }
  const aChat = (format: ChatService, events: string[]): ReturnType<typeof made> =>
    made({ format, url: `${chat(format).url}/T0/CanaryOfTheChat`, events });
  const test = async (id: string): Promise<Record<string, unknown>> =>
    (await service.management.post(`/webhooks/${id}/test`)).json.data;

  it('have the key, its spend and a link to its page, in the format of each chat', async () => {
    for (const format of SERVICES) await aChat(format, ['key.limit.threshold']);
    await made({ format: 'email', to: 'oncall@example.com', events: ['key.limit.threshold'] });
    const { key, hash } = await makeKey(service.management, {
      name: 'ci <!channel>',
      limit: 0.000004,
      limit_reset: 'monthly',
    });
    expect((await service.as(key).post('/audio/speech', { json: SPEECH })).status).toBe(200);

    await eventually(async () => {
      for (const format of SERVICES) expect(chat(format).seen).toHaveLength(1);
      expect(mails.seen).toHaveLength(1);
    });
    const link = `https://gate.example.com/console/keys/${hash}`;
    const said = 'has spent 50 % of its monthly limit: $0.000002 of $0.000004. It resets on ';
    for (const format of SERVICES) {
      const { path, body, headers } = chat(format).seen[0]!;
      expect(path).toBe('/hook/T0/CanaryOfTheChat');
      expect(headers['content-type']).toBe('application/json');
      expect(headers).not.toHaveProperty('webhook-signature');
      expect(body.replaceAll('\\\\', '')).toContain(said);
      expect(body).toContain(link);
    }
    expect(chat('slack').seen[0]!.json.text).toContain('"ci &lt;!channel&gt;" of the workspace "Default"');
    expect(chat('discord').seen[0]!.json.allowed_mentions).toEqual({ parse: [] });
    const [mail] = mails.seen;
    expect(mail).toMatchObject({ from: 'alerts@example.com', to: ['oncall@example.com'] });
    expect(mail!.header('subject')).toBe('[Gatehouse] The key "ci <!channel>" has spent 50 % of its monthly limit');
    expect(mail!.header('message-id')).toMatch(/^<evt_[0-9a-f-]+\.[0-9a-f-]+@example\.com>$/);
    expect(mail!.text).toContain(link);
  });

  it.each(SERVICES)('are tested by a message that %s accepts', async (format) => {
    const { id } = await aChat(format, ['credits.low']);
    expect(await test(id)).toMatchObject({ type: 'webhook.test', status: 'delivered', error: null });
    chat(format).seen.length = 0;
    const { id: mailId } = await made({ format: 'email', to: 'oncall@example.com', events: ['credits.low'] });
    expect(await test(mailId)).toMatchObject({ status: 'delivered', response_status: 250 });
    expect(mails.seen[0]!.header('subject')).toBe('[Gatehouse] Test of an alert');
  });

  it('keep the address of a chat secret: not in a response, the tables, the audit or the log', async () => {
    const { id, url } = await aChat('slack', ['credits.low']);
    expect(url).toBe(`${new URL(chat('slack').url).origin}/…Chat`);
    await test(id);
    const next = `${chat('slack').url}/T0/CanaryMoved`;
    const changed = await service.management.patch(`/webhooks/${id}`, { json: { url: next } });
    expect(changed.json.data.url).toMatch(/\/…oved$/);
    await test(id);
    expect(chat('slack').seen.map(({ path }) => path)).toEqual(['/hook/T0/CanaryOfTheChat', '/hook/T0/CanaryMoved']);
    const tables = ['webhook', 'webhook_delivery', 'event', 'audit_entry'];
    const rows = await Promise.all(
      tables.map((table) => service.sql.query<{ row: string }>(`select t::text as row from ${table} t`)),
    );
    const answers = await Promise.all(
      ['', `/${id}`, `/${id}/deliveries`].map((path) => service.management.get(`/webhooks${path}`)),
    );
    const texts = [printed, ...rows.flat().map(({ row }) => row), ...answers.map(({ text }) => text)].join('\n');
    for (const canary of ['CanaryOfThe', 'CanaryMo'])
      for (const form of [canary, Buffer.from(canary).toString('hex')]) expect(texts).not.toContain(form);
  });

  it('all wait as long as the Retry-After of a chat requires, and are then delivered', async () => {
    const slack = chat('slack');
    const accept = slack.respond;
    slack.respond = (response) => response.writeHead(429, { 'retry-after': '1800' }).end();
    const { id } = await aChat('slack', ['key.created']);
    await makeKey(service.management, { name: 'first' });
    await eventually(async () => {
      const [delivery] = (await service.management.get(`/webhooks/${id}/deliveries`)).json.data;
      expect(delivery).toMatchObject({ status: 'pending', response_status: 429, attempts: 1 });
      expect(delivery.next_attempt_at).toBe(new Date(NOON + 1_800_000).toISOString());
    });
    slack.respond = accept;
    await makeKey(service.management, { name: 'second' });
    clock.set(new Date(NOON + 1_799_000));
    // A later event of another webhook is delivered, so the worker has completed a round.
    await aChat('discord', ['key.created']);
    await makeKey(service.management, { name: 'third' });
    await eventually(async () => expect(chat('discord').seen).toHaveLength(1));
    expect(slack.seen).toHaveLength(1);
    clock.set(new Date(NOON + 1_800_000));
    await eventually(async () => expect(slack.seen).toHaveLength(4));
  });

  it('are sent again on request, even before their next attempt is due', async () => {
    const discord = chat('discord');
    const accept = discord.respond;
    const { id } = await aChat('discord', ['key.created']);
    await makeKey(service.management, { name: 'again' });
    const only = async () => (await service.management.get(`/webhooks/${id}/deliveries`)).json.data[0];
    await eventually(async () => expect(await only()).toMatchObject({ status: 'delivered' }));
    const { id: delivery, event_id } = await only();
    const resend = (of = delivery) => service.management.post(`/webhooks/${id}/deliveries/${of}/resend`);
    const resent = await resend();
    expect([resent.status, resent.json.data]).toEqual([
      200,
      expect.objectContaining({ id: delivery, status: 'pending' }),
    ]);
    await eventually(async () => expect(await only()).toMatchObject({ status: 'delivered', attempts: 2, event_id }));
    expect(discord.seen).toHaveLength(2);
    expect(discord.seen[0]!.body).toBe(discord.seen[1]!.body);

    discord.respond = 500;
    await resend();
    await eventually(async () => expect(await only()).toMatchObject({ status: 'pending', attempts: 3 }));
    discord.respond = accept;
    expect((await resend()).status).toBe(200);
    await eventually(async () => expect(await only()).toMatchObject({ status: 'delivered', attempts: 4 }));
    await service.management.patch(`/webhooks/${id}`, { json: { disabled: true } });
    expect((await resend()).status).toBe(409);
    for (const unknown of ['x', '00000000-0000-4000-8000-000000000000'])
      expect((await resend(unknown)).status).toBe(404);
    const other = await aChat('slack', ['credits.low']);
    const ofOther = await service.management.post(`/webhooks/${other.id}/deliveries/${delivery}/resend`);
    expect(ofOther.status).toBe(404);
  });

  it('have no secret to rotate', async () => {
    const { id } = await aChat('teams', ['credits.low']);
    expect((await service.management.post(`/webhooks/${id}/rotate`)).status).toBe(409);
  });

  it('go to another address by a change of to or url, according to the format', async () => {
    const { id } = await made({ format: 'email', to: 'oncall@example.com', events: ['credits.low'] });
    const change = (json: object) => service.management.patch(`/webhooks/${id}`, { json });
    expect((await change({ url: 'https://example.com/' })).status).toBe(400);
    expect((await change({ headers: { a: 'b' } })).status).toBe(400);
    expect((await change({ events: ['generation.completed'] })).status).toBe(400);
    expect((await change({ to: 'other@example.com' })).json.data).toMatchObject({ to: 'other@example.com', url: null });
    await test(id);
    expect(mails.seen[0]!.to).toEqual(['other@example.com']);
    const { id: ofChat } = await aChat('slack', ['credits.low']);
    const changed = await service.management.patch(`/webhooks/${ofChat}`, { json: { to: 'a@example.com' } });
    expect(changed.status).toBe(400);
  });

  const EVENTS = { events: ['credits.low'] };
  const URL_OF_CHAT = 'https://hooks.example.com/x';
  it.each([
    ['an unknown format', { format: 'pager', url: URL_OF_CHAT, ...EVENTS }],
    ['no address', { format: 'slack', ...EVENTS }],
    ['no address of a signed webhook', EVENTS],
    ['an address of mails for a chat', { format: 'slack', to: 'a@example.com', ...EVENTS }],
    ['a url for mails', { format: 'email', url: URL_OF_CHAT, ...EVENTS }],
    ['a mail without a recipient', { format: 'email', ...EVENTS }],
    ['two addresses', { format: 'email', to: 'a@example.com, b@example.com', ...EVENTS }],
    ['a line break in the address', { format: 'email', to: 'a@example.com\r\nBcc: b@example.com', ...EVENTS }],
    ['a name before the address', { format: 'email', to: 'A <a@example.com>', ...EVENTS }],
    ['headers of a mail', { format: 'email', to: 'a@example.com', headers: { a: 'b' }, ...EVENTS }],
    ['records of calls for people', { format: 'teams', url: URL_OF_CHAT, events: ['generation.completed'] }],
    ['a private address', { format: 'discord', url: 'https://10.0.0.1/x', ...EVENTS }],
    ['plain http', { format: 'discord', url: 'http://hooks.example.com/x', ...EVENTS }],
  ])('are refused with %s', async (_, json) => {
    expect((await post(json)).status).toBe(400);
  });

  it('accept the former name of the signed format', async () => {
    const { status, json } = await post({ format: 'standard', url: URL_OF_CHAT, ...EVENTS });
    expect([status, json.data.format, typeof json.secret]).toEqual([201, 'signed', 'string']);
  });

  it('by e-mail are refused with 409 if the operator has configured no mail server', async () => {
    const without = await startTestService({ env: { INTERN_RUNTIME: 'none', LOG_LEVEL: 'error' } });
    const json = { format: 'email', to: 'a@example.com', ...EVENTS };
    const { status, json: answer } = await without.management.post('/webhooks', { json });
    expect([status, answer.error.message]).toEqual([409, expect.stringContaining('SMTP_URL')]);
    await without.stop();
  });
});
