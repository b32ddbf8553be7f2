import { makeKey } from '../../support/api/api-builders.js';
import { settledSpend } from '../../support/money/account-totals.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';

const SPEECH = { model: 'builtin/flite', voice: 'slt', input: 'Hi.' };

describe('the texts of callers in usage records', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({
      env: {
        USAGE_LABELS_PER_ACCOUNT: '3',
        OPENAI_API_KEY: 'sk-none-0123456789',
        OPENAI_BASE_URL: 'http://127.0.0.1:1/v1',
      },
    });
  });
  afterAll(() => service.stop());

  const labels = async (): Promise<string[]> =>
    (
      await service.sql.query<{ value: string }>('select value from usage_label where kind in (3, 4, 5) order by id')
    ).map(({ value }) => value);
  const call = async (name: string, request: object = SPEECH, key?: string): Promise<number> => {
    const headers = { 'x-title': `app ${name}`, 'http-referer': `https://${name}.example` };
    const answer = await (key ? service.as(key) : service.standard).post('/audio/speech', {
      json: { ...request, user: `user ${name}` },
      headers,
    });
    await settledSpend(service.sql);
    return answer.status;
  };

  it('are not stored if a call is refused because of a spending limit, or by the vendor', async () => {
    const { key } = await makeKey(service.management, { name: 'empty', limit: 0 });
    for (let attempt = 0; attempt < 20; attempt++)
      expect(await call(`refused-${attempt}`, { ...SPEECH, model: 'openai/tts-1', voice: 'alloy' }, key)).toBe(402);
    expect(await call('failed', { ...SPEECH, model: 'openai/tts-1', voice: 'alloy' })).toBe(502);
    expect(await call('wrong', { ...SPEECH, voice: 'nobody' })).toBe(400);
    expect(await labels()).toEqual([]);
  });

  it('are stored for billed calls, and are "(other)" above the maximum number of labels of an account', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e', 'a']) expect(await call(name)).toBe(200);
    const kept = (name: string): string[] => [`user ${name}`, `app ${name}`, `https://${name}.example`];
    expect(await labels()).toEqual([...kept('a'), ...kept('b'), ...kept('c'), '(other)', '(other)', '(other)']);
    const users = await service.sql.query<{ value: string }>(
      `select l.value
       from generation g
       join usage_label l on l.id = g.external_user
       where g.status = 200
       order by g.created_at, g.id`,
    );
    expect(users.map(({ value }) => value)).toEqual(['user a', 'user b', 'user c', '(other)', '(other)', 'user a']);
  });

  it('are also in the records of failed calls if a billed call has stored them before', async () => {
    expect(await call('a', { ...SPEECH, model: 'openai/tts-1', voice: 'alloy' })).toBe(502);
    const [failed] = await service.sql.query(
      'select l.value from generation g join usage_label l on l.id = g.external_user where g.status = 502',
    );
    expect(failed).toEqual({ value: 'user a' });
  });
});
