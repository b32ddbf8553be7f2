import { AdapterRegistry } from '../../../src/inference/adapter-registry.js';
import { Sql } from '../../../src/database/sql.js';
import { makeKey, makeWorkspace } from '../../support/api/api-builders.js';
import { eventually } from '../../support/eventually.js';
import { HeldSpeech } from '../../support/vendors/held-speech.js';
import { makeSecondAccount, type SecondAccount } from '../../support/money/second-account.js';
import { SetClock, startTestService, type TestService } from '../../support/services/test-service.js';

const TODAY = '2026-11-20';
const NOWHERE = '0192aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee';

describe("the report of an account's spend", () => {
  const clock = new SetClock(new Date('2026-10-15T12:00:00Z'));
  let service: TestService;
  let other: SecondAccount;
  let side: { id: string };
  const keys: { hash: string; key: string }[] = [];

  const speak = async (key: string, at: string, characters: number): Promise<void> => {
    clock.set(at);
    const answer = await service
      .as(key)
      .post('/audio/speech', { json: { model: 'builtin/flite', voice: 'slt', input: 'x'.repeat(characters) } });
    expect(answer.status).toBe(200);
  };
  const activity = async (query = '') => (await service.management.get(`/activity${query}`)).json.data;

  beforeAll(async () => {
    service = await startTestService({
      clock,
      adapters: new AdapterRegistry({ speech: [new HeldSpeech()] }),
      env: { BOOTSTRAP_CREDITS_USD: '12.345678901' },
    });
    other = await makeSecondAccount(service);
    const grant = await service.sql.query<{ no: number }>('select no from account where id = $1', [other.accountId]);
    await service.sql.query('update account_balance set granted = 1000000000 where account_no = $1', [grant[0]!.no]);
    side = await makeWorkspace(service.management, { name: 'Side', slug: 'side' });
    for (const workspace_id of [undefined, side.id]) {
      const { data, key } = await makeKey(service.management, { name: 'k', workspace_id });
      keys.push({ hash: data.hash, key });
    }
    const [one, two] = keys as [(typeof keys)[0], (typeof keys)[0]];
    await speak(one.key, '2026-10-20T23:59:59.999Z', 50);
    await speak(one.key, '2026-10-21T00:00:00.000Z', 1);
    await speak(one.key, '2026-11-18T23:59:59.999Z', 3);
    await speak(two.key, '2026-11-19T00:00:00.000Z', 7);
    for (let call = 0; call < 3; call++) await speak(one.key, '2026-11-19T23:59:59.999Z', 11);
    await speak(other.standardKey, '2026-11-19T10:00:00Z', 1000);
    await speak(one.key, `${TODAY}T00:00:00.000Z`, 13);
    clock.set(`${TODAY}T12:00:00Z`);
  });
  afterAll(() => service.stop());

  const item = (date: string, requests: number, usage: number): object => ({
    date,
    model: 'builtin/flite',
    model_permaslug: 'builtin/flite',
    endpoint_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    provider_name: 'Gatehouse built-in',
    usage,
    byok_usage_inference: 0,
    requests,
    prompt_tokens: 0,
    completion_tokens: 0,
    reasoning_tokens: 0,
  });

  it('in GET /activity covers the last 30 completed UTC days, newest first, with exact sums', async () => {
    expect(await activity()).toEqual([
      item('2026-11-19', 4, 0.00004),
      item('2026-11-18', 1, 0.000003),
      item('2026-10-21', 1, 0.000001),
    ]);
  });

  it('covers only the day that the query names, which may be the oldest day or the current day', async () => {
    expect(await activity('?date=2026-10-21')).toEqual([item('2026-10-21', 1, 0.000001)]);
    expect(await activity(`?date=${TODAY}`)).toEqual([item(TODAY, 1, 0.000013)]);
    expect(await activity('?date=2026-11-01')).toEqual([]);
  });

  it('has the exact spend of one key by model, which agrees with the usage in the record of the key', async () => {
    const { hash } = keys[0]!;
    const days = [
      ...(await activity(`?api_key_hash=${hash}`)),
      ...(await activity(`?api_key_hash=${hash}&date=${TODAY}`)),
    ];

    expect(days).toEqual([
      item('2026-11-19', 3, 0.000033),
      item('2026-11-18', 1, 0.000003),
      item('2026-10-21', 1, 0.000001),
      item(TODAY, 1, 0.000013),
    ]);
    const { data } = (await service.management.get(`/keys/${hash}`)).json;
    // The call of 20 October is older than 30 days and is not counted.
    expect(data).toMatchObject({
      usage: 0.0001,
      usage_daily: 0.000013,
      usage_weekly: 0.000049,
      usage_monthly: 0.000049,
    });
  });

  it('can be grouped by workspace, and filtered by a workspace', async () => {
    const [defaultWorkspace] = (await service.management.get('/workspaces')).json.data;
    expect(await activity('?date=2026-11-19&group_by=workspace')).toEqual([
      { ...item('2026-11-19', 3, 0.000033), workspace_id: defaultWorkspace.id },
      { ...item('2026-11-19', 1, 0.000007), workspace_id: side.id },
    ]);
    expect(await activity(`?workspace_id=${side.id}`)).toEqual([item('2026-11-19', 1, 0.000007)]);
  });

  it('can be filtered by the member who owns the keys', async () => {
    const { creator_user_id } = (await service.management.get(`/keys/${keys[0]!.hash}`)).json.data;
    expect(await activity(`?user_id=${creator_user_id}&date=2026-11-19`)).toEqual([item('2026-11-19', 4, 0.00004)]);
  });

  it("never includes another account's calls", async () => {
    expect((await service.as(other.managementKey).get('/activity')).json.data).toEqual([item('2026-11-19', 1, 0.001)]);
  });

  it.each([
    'date=yesterday',
    'date=2026-02-30',
    'date=2026-11-21',
    'date=2026-10-20',
    'group_by=model',
    'workspace_id=side',
    'user_id=me',
    'date=2026-11-19&date=2026-11-18',
  ])('answers 400 to ?%s', async (query) => {
    expect((await service.management.get(`/activity?${query}`)).status).toBe(400);
  });

  it('answers 404 to a key, a workspace and a member that the account does not have', async () => {
    const theirs = await service.sql.query<{ hash: string }>('select hash from api_key where account_id = $1 limit 1', [
      other.accountId,
    ]);
    for (const query of [
      `api_key_hash=${'0'.repeat(64)}`,
      'api_key_hash=none',
      `api_key_hash=${theirs[0]!.hash}`,
      `workspace_id=${NOWHERE}`,
      `workspace_id=${other.workspaceId}`,
      `user_id=${NOWHERE}`,
      `user_id=${other.userId}`,
    ]) {
      expect([query, (await service.management.get(`/activity?${query}`)).status]).toEqual([query, 404]);
    }
  });

  it('in GET /credits has the exact sums of grants and spend', async () => {
    expect((await service.management.get('/credits')).json).toEqual({
      data: { total_credits: 12.345678901, total_usage: 0.000107 },
    });
  });

  it('leaves connections for other requests, however many reports are read at the same time', async () => {
    const locking = new Sql(service.databaseUrl, 1);
    const { reports, first } = await locking.transaction(async (session) => {
      await session.query('lock table generation in access exclusive mode');
      const running = Array.from({ length: 10 }, () => service.management.get('/activity'));
      await eventually(async () => {
        const waiting = await service.sql.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        expect(waiting.length).toBeGreaterThanOrEqual(2);
      });
      const credits = service.management.get('/credits').then(() => 'credits');
      return {
        reports: running,
        first: await Promise.race([credits, ...running.map((one) => one.then(() => 'report'))]),
      };
    });
    const statuses = (await Promise.all(reports)).map(({ status }) => status);
    await locking.close();

    expect(first).toBe('credits');
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it('answers 403 to keys that are not management keys', async () => {
    for (const path of ['/activity', '/credits']) {
      expect((await service.standard.get(path)).json).toEqual({
        error: { code: 403, message: 'Only management keys can perform this operation' },
      });
    }
  });
});
