import { PERMISSIONS } from '../../../src/kernel/access/permissions.js';
import { ConsoleSessions } from '../../../src/sessions/console-sessions.js';
import { ConsoleBrowser, firstOwner, newCode, signedIn } from '../../support/console/console-browser.js';
import { eventually } from '../../support/eventually.js';
import {
  SetClock,
  startTestService,
  TEST_API_KEY,
  TEST_MANAGEMENT_KEY,
  type TestService,
} from '../../support/services/test-service.js';

const START = new Date();
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const after = (ms: number): Date => new Date(START.getTime() + ms);

describe('signing in to the console', () => {
  const clock = new SetClock(START);
  let service: TestService;
  let replica: TestService;

  beforeAll(async () => {
    service = await startTestService({ clock, env: { RATE_LIMIT_SIGN_IN: 'off', INTERN_RUNTIME: 'none' } });
    replica = await startTestService({
      clock,
      databaseUrl: service.databaseUrl,
      env: { RATE_LIMIT_SIGN_IN: 'off', TRUST_PROXY: '1' },
    });
  }, 60_000);
  beforeEach(() => clock.set(START));
  afterAll(async () => {
    await replica.stop();
    await service.stop();
  });

  const audited = async (action: string): Promise<{ resource_id: string; account_id: string | null }[]> =>
    service.sql.query('select resource_id, account_id, actor, user_id from audit_entry where action = $1 order by id', [
      action,
    ]);

  const newestSession = async (): Promise<string> =>
    (await service.sql.query<{ id: string }>('select id from console_session order by id desc limit 1'))[0]!.id;

  describe('with a one-time code', () => {
    it('opens a session of twelve hours that acts as the user', async () => {
      const { accountId, userId } = await firstOwner(service);
      const browser = new ConsoleBrowser(service.origin);
      const answer = await browser.signIn({ code: await newCode(service) });
      expect(answer.status).toBe(201);
      expect(answer.json.data).toEqual({
        kind: 'code',
        key_class: 'management',
        role: 'owner',
        permissions: Object.keys(PERMISSIONS),
        user: { id: userId, name: 'Owner', email: null },
        account_id: accountId,
        workspace_id: expect.any(String),
        limit: 5,
        spent: 0,
        expires_at: after(12 * HOUR_MS).toISOString(),
      });
      expect(answer.headers.get('set-cookie')).toMatch(
        /^gatehouse_session=[\w-]{43}; Path=\/console; Max-Age=43200; HttpOnly; SameSite=Strict$/,
      );
      expect((await browser.send('GET', '/console/session')).json).toEqual(answer.json);
      const entries = await audited('sign_in');
      expect(entries.at(-1)).toMatchObject({ account_id: accountId, actor: 'key', user_id: userId });
    });

    it('opens only one session: a second use of the code is refused, and audited with the account', async () => {
      const code = await newCode(service);
      expect((await new ConsoleBrowser(service.origin).signIn({ code })).status).toBe(201);
      const second = await new ConsoleBrowser(service.origin).signIn({ code });
      expect([second.status, second.headers.get('set-cookie')]).toEqual([401, null]);
      const { accountId } = await firstOwner(service);
      expect((await audited('sign_in_refused')).at(-1)).toMatchObject({ account_id: accountId, resource_id: 'code' });
    });

    it('opens only one session if the code is used a thousand times at once', async () => {
      const code = await newCode(service);
      const before = (await service.app.get(ConsoleSessions, { strict: false }).list()).length;
      const answers = await Promise.all(
        Array.from({ length: 1_000 }, () => new ConsoleBrowser(service.origin).signIn({ code })),
      );
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
      expect(await service.app.get(ConsoleSessions, { strict: false }).list()).toHaveLength(before + 1);
    }, 60_000);

    it.each([
      [5 * MINUTE_MS - 1, 201],
      [5 * MINUTE_MS, 401],
    ])('that is %d ms old returns %d', async (age, status) => {
      const code = await newCode(service);
      clock.set(after(age));
      expect((await new ConsoleBrowser(service.origin).signIn({ code })).status).toBe(status);
    });

    it('stores only the hashes of the code and of the cookie', async () => {
      const browser = new ConsoleBrowser(service.origin);
      const code = await newCode(service);
      await browser.signIn({ code });
      const token = browser.cookie!.split('=')[1]!;
      for (const table of ['console_code', 'console_session', 'audit_entry', 'api_key']) {
        const [row] = await service.sql.query<{ text: string }>(`select json_agg(t)::text as text from ${table} t`);
        expect(row!.text.includes(code) || row!.text.includes(token)).toBe(false);
      }
    });
  });

  describe('with a key', () => {
    it.each([
      [TEST_MANAGEMENT_KEY, 'management', 200, 401],
      [TEST_API_KEY, 'standard', 401, 200],
    ])('such as %s opens a session with the class of the key', async (key, keyClass, keys, images) => {
      const browser = new ConsoleBrowser(service.origin);
      const { status, json } = await browser.signIn({ key });
      expect([status, json.data.kind, json.data.key_class]).toEqual([201, 'key', keyClass]);
      expect((await browser.get('/keys')).status).toBe(keys);
      const speech = { model: 'builtin/flite', voice: 'slt', input: 'Hi' };
      expect((await browser.post('/audio/speech', speech)).status).toBe(images);
    });

    it('opens a session that ends permanently on every replica when the key is disabled', async () => {
      const { data, key } = (await service.management.post('/keys', { json: { name: 'For the console' } })).json;
      const here = new ConsoleBrowser(service.origin);
      await here.signIn({ key });
      const there = new ConsoleBrowser(replica.origin);
      there.cookie = here.cookie;
      expect((await there.get('/key')).status).toBe(200);
      await service.management.patch(`/keys/${data.hash}`, { json: { disabled: true } });
      expect((await here.get('/key')).status).toBe(401);
      await eventually(async () => expect((await there.get('/key')).status).toBe(401));
      await service.management.patch(`/keys/${data.hash}`, { json: { disabled: false } });
      expect([(await service.as(key).get('/key')).status, (await here.get('/key')).status]).toEqual([200, 401]);
    });

    it('opens a session that ends when the key is deleted', async () => {
      const { data, key } = (await service.management.post('/keys', { json: { name: 'For a while' } })).json;
      const browser = new ConsoleBrowser(service.origin);
      await browser.signIn({ key });
      expect((await browser.get('/key')).status).toBe(200);
      await service.management.delete(`/keys/${data.hash}`);
      expect((await browser.get('/key')).status).toBe(401);
      expect((await browser.send('GET', '/console/session')).status).toBe(401);
    });

    it('opens a session that expires when the key expires', async () => {
      const expires_at = after(HOUR_MS).toISOString();
      const { key } = (await service.management.post('/keys', { json: { name: 'Short', expires_at } })).json;
      const browser = new ConsoleBrowser(service.origin);
      expect((await browser.signIn({ key })).json.data.expires_at).toBe(expires_at);
      clock.set(after(HOUR_MS - 1));
      expect((await browser.get('/key')).status).toBe(200);
      clock.set(after(HOUR_MS));
      expect((await browser.get('/key')).status).toBe(401);
    });

    it.each([
      ['an unknown key', `sk-gh-v1-${'e'.repeat(64)}`],
      ["a key's hash", 'a'.repeat(64)],
    ])('is refused if the key is %s', async (_name, key) => {
      const answer = await new ConsoleBrowser(service.origin).signIn({ key });
      expect([answer.status, answer.json.error.message]).toEqual([401, 'Invalid API key']);
    });

    it('refuses a disabled key, and records the refusal with its account', async () => {
      const { data, key } = (await service.management.post('/keys', { json: { name: 'Off' } })).json;
      await service.management.patch(`/keys/${data.hash}`, { json: { disabled: true } });
      expect((await new ConsoleBrowser(service.origin).signIn({ key })).status).toBe(401);
      const { accountId } = await firstOwner(service);
      expect((await audited('sign_in_refused')).at(-1)).toMatchObject({ account_id: accountId, resource_id: 'key' });
    });
  });

  it.each([{}, { code: 'a', key: 'b' }, { code: 1 }, { key: '' }, { password: 'x' }])(
    'accepts only a code or a key, and refuses %j',
    async (body) => {
      expect((await new ConsoleBrowser(service.origin).signIn(body as { code: string })).status).toBe(400);
    },
  );

  it('sets a Secure cookie only if a trusted proxy reports https', async () => {
    const secure = async (proto: string): Promise<boolean> => {
      const headers = { 'x-forwarded-proto': proto, 'x-forwarded-for': '192.0.2.9' };
      const json = { code: await newCode(service) };
      const answer = await new ConsoleBrowser(replica.origin).send('POST', '/console/session', { json, headers });
      return answer.headers.get('set-cookie')!.endsWith('; Secure');
    };
    expect([await secure('https'), await secure('http')]).toEqual([true, false]);
  });

  it('opens a session that ends after twelve hours; the sweeper then deletes the session and its keys', async () => {
    const browser = await signedIn(service);
    const id = await newestSession();
    clock.set(after(12 * HOUR_MS - 1));
    expect((await browser.get('/credits')).status).toBe(200);
    clock.set(after(12 * HOUR_MS));
    expect((await browser.get('/credits')).status).toBe(401);
    await service.app.get(ConsoleSessions, { strict: false }).sweep();
    const keys = await service.sql.query<{ deleted: boolean }>(
      'select deleted_at is not null as deleted from api_key where console_session_id = $1',
      [id],
    );
    expect(keys).toEqual([{ deleted: true }, { deleted: true }]);
    expect(await service.sql.query('select 1 from console_session where id = $1', [id])).toEqual([]);
  });
});
