import { ApiKeys } from '../../../src/auth/api-keys.js';
import { ChannelDirectory } from '../../../src/channels/channel-directory.js';
import { LastingStates, type LastingState } from '../../../src/channels/lasting-states.js';
import type { ApiAnswer } from '../../support/api/api-client.js';
import { ENVIRONMENT_KEY, startChannelStage, type ChannelStage } from '../../support/api/channel-stage.js';
import { startChatReceiver } from '../../support/engines/chat-receiver.js';
import { startMailServer, type MailServer } from '../../support/engines/mail-server.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/engines/webhook-receiver.js';
import { eventually } from '../../support/eventually.js';
import { clearCredentialRests } from '../../support/calls/end-rests.js';
import { makeAccount } from '../../support/money/account-builders.js';

const KEY = 'sk-first-credential-0123456789-AbCd';
const EVENTS = ['credential.exhausted', 'credential.refused', 'credential.recovered'];
const CHATS = ['slack', 'discord', 'teams'] as const;
const fails = (status: number, code?: string) => ({ status, body: { error: { message: 'no', code } } });

describe('the events of platform credentials', () => {
  let stage: ChannelStage;
  let mails: MailServer;
  let signed: WebhookReceiver;
  const chats = new Map<string, WebhookReceiver>();
  beforeAll(async () => {
    mails = await startMailServer();
    signed = await startWebhookReceiver();
    for (const name of CHATS) chats.set(name, await startChatReceiver(name));
    stage = await startChannelStage({
      env: {
        WEBHOOK_PRIVATE_HOSTS: '127.0.0.1',
        PUBLIC_BASE_URL: 'https://gate.example.com',
        SMTP_URL: `smtp://localhost:${mails.port}`,
        SMTP_FROM: 'alerts@example.com',
      },
    });
    const made = [
      { url: signed.url },
      ...CHATS.map((format) => ({ format, url: chats.get(format)!.url })),
      { format: 'email', to: 'oncall@example.com' },
    ];
    for (const json of made)
      expect((await stage.service.management.post('/webhooks', { json: { ...json, events: EVENTS } })).status).toBe(
        201,
      );
  });
  afterEach(async () => {
    await stage.clear();
    for (const service of [stage.service, stage.replica]) clearCredentialRests(service);
    await stage.service.sql.query('delete from environment_credential_state');
    await eventually(async () =>
      expect(await stage.service.sql.query('select 1 from webhook_delivery where next_at is not null')).toEqual([]),
    );
    await stage.service.sql.query('delete from event');
    for (const { seen } of [signed, mails, ...chats.values()]) seen.length = 0;
  });
  afterAll(async () => {
    await stage.stop();
    await mails.close();
    for (const receiver of [signed, ...chats.values()]) await receiver.close();
  });

  type Written = { readonly type: string; readonly data: ApiAnswer['json']; readonly account: string };
  const written = (): Promise<Written[]> =>
    stage.service.sql.query<Written>(
      `select e.type, e.data, a.id as account from event e join account a on a.no = e.account_no
       where e.type like 'credential.%' order by e.created_at`,
    );
  /** Waits until exactly these types have been written, in this order. */
  const expectWritten = (...types: string[]): Promise<Written[]> =>
    eventually(async () => {
      const events = await written();
      expect(events.map(({ type }) => type)).toEqual(types);
      return events;
    });
  const callBoth = (calls = 10): Promise<ApiAnswer[]> =>
    Promise.all(Array.from({ length: calls }, (_, call) => stage.chat({}, call % 2 ? stage.service : stage.replica)));
  const mend = (id: string): Promise<ApiAnswer> =>
    stage.service.management.post(`/providers/credentials/${id}/test`, { json: { model: 'rules/one' } });

  /** Reports the state of a credential many times from both replicas simultaneously. */
  const reportState = (id: string, state: LastingState['state']): Promise<unknown> =>
    Promise.all(
      [stage.service, stage.replica].flatMap(({ app }) =>
        Array.from({ length: 10 }, async () => {
          const channel = await app.get(ChannelDirectory, { strict: false }).find(id);
          const until = new Date(Date.now() + 60_000);
          await app.get(LastingStates, { strict: false }).begin(channel!, { state, until }, 401);
        }),
      ),
    );

  it.each([
    [401, undefined, 'credential.refused'],
    [403, undefined, 'credential.refused'],
    [402, undefined, 'credential.exhausted'],
    [429, 'insufficient_quota', 'credential.exhausted'],
  ])('are written once for two replicas if the vendor returns %i (%s)', async (status, code, type) => {
    const { id } = await stage.store({ key: KEY, name: 'second account', priority: -1 });
    stage.answers(KEY, fails(status, code));
    const before = Date.now();
    await callBoth();
    const [event] = await expectWritten(type);
    const operator = await stage.service.sql.query('select id from account where is_operator');
    expect([{ id: event!.account }]).toEqual(operator);
    expect(event!.data).toEqual({
      id,
      provider: 'openai',
      name: 'second account',
      label: 'sk-...AbCd',
      status,
      since: expect.any(String),
    });
    expect(Date.parse(event!.data.since)).toBeGreaterThanOrEqual(before);
    // Both replicas detect the same state again, as the hourly probe does.
    await reportState(id, type.slice('credential.'.length) as LastingState['state']);
    stage.answers(KEY, undefined);
    await mend(id);
    await expectWritten(type, 'credential.recovered');
  });

  it('are written again if the credential fails after a change', async () => {
    const { id } = await stage.store({ key: KEY, priority: -1 });
    stage.answers(KEY, fails(401));
    await stage.chat();
    await expectWritten('credential.refused');
    await stage.service.management.patch(`/providers/credentials/${id}`, { json: { weight: 2 } });
    await eventually(async () => {
      await stage.chat();
      expect((await written()).length).toBe(2);
    });
    await expectWritten('credential.refused', 'credential.refused');
  });

  it('are written again if a test finds another state', async () => {
    const { id } = await stage.store({ key: KEY, priority: -1 });
    stage.answers(KEY, fails(401));
    await stage.chat();
    await expectWritten('credential.refused');
    stage.answers(KEY, fails(402));
    await mend(id);
    const [, exhausted] = await expectWritten('credential.refused', 'credential.exhausted');
    expect(exhausted!.data).toMatchObject({ id, status: 402 });
  });

  it('are also written for the credential of the environment, once, even after a restart', async () => {
    stage.answers(ENVIRONMENT_KEY, fails(401));
    await callBoth();
    await callBoth();
    const [event] = await expectWritten('credential.refused');
    expect(event!.data).toMatchObject({ id: 'env:openai', provider: 'openai', name: null, label: 'sk-...6789' });
    await reportState('env:openai', 'refused');
    // Clear the state in memory: a new process has none until it reads the stored state.
    for (const service of [stage.service, stage.replica]) clearCredentialRests(service);
    await callBoth();
    await expectWritten('credential.refused');
    for (const service of [stage.service, stage.replica]) clearCredentialRests(service);
    stage.answers(ENVIRONMENT_KEY, undefined);
    await eventually(async () => {
      await callBoth();
      expect((await written()).length).toBe(2);
    });
    stage.answers(ENVIRONMENT_KEY, fails(401));
    await callBoth();
    await expectWritten('credential.refused', 'credential.recovered', 'credential.refused');
  });

  it("reach every kind of destination of the operator's account, without a secret", async () => {
    const account = await makeAccount(stage.service, 'Somebody else');
    const keys = stage.service.app.get(ApiKeys, { strict: false });
    const key = { ...account, keyClass: 'management', name: 'Foreign', creatorUserId: null } as const;
    const theirs = (await keys.issue(key)).secret;
    const json = { url: `${signed.url}/theirs`, events: EVENTS };
    expect((await stage.service.as(theirs).post('/webhooks', { json })).status).toBe(201);
    await stage.store({ key: KEY, name: 'second <!channel>', priority: -1 });
    stage.answers(KEY, fails(401));
    await stage.chat();
    await eventually(async () => {
      for (const { seen } of [signed, mails, ...chats.values()]) expect(seen).toHaveLength(1);
    });
    const [{ path, headers, json: body }] = signed.seen as [(typeof signed.seen)[number]];
    expect([path, body.type, body.data.status]).toEqual(['/hook', 'credential.refused', 401]);
    expect(headers).toHaveProperty('webhook-signature');
    for (const format of CHATS) {
      const { body: text } = chats.get(format)!.seen[0]!;
      expect(text).toContain('https://gate.example.com/console/channels');
      expect(text).toContain('401');
      expect(text).not.toContain(KEY);
    }
    const [mail] = mails.seen;
    expect(mail!.header('subject')).toBe('[Gatehouse] The credential "second <!channel>" at openai was refused');
    expect(mail!.text).toContain('sk-...AbCd');
    expect(signed.seen[0]!.body + mail!.text).not.toContain(KEY);
  });
});
