import { makeKey, type MadeKey } from '../../support/api/api-builders.js';
import { eventually } from '../../support/eventually.js';
import { makePerson, send } from '../../support/members/account-people.js';
import { SetClock, startTestService, type TestService } from '../../support/services/test-service.js';

const SPEECH = { json: { model: 'builtin/flite', voice: 'slt', input: 'Hello' } };
const PRICE_USD = 0.000005;
const START = Date.parse('2026-11-20T12:00:00Z');
const HOUR_MS = 3_600_000;
const UNTIL = new Date(START + HOUR_MS).toISOString();

describe('the raise of the limit of a key', () => {
  const clock = new SetClock(new Date(START));
  let service: TestService;
  let made: MadeKey;
  beforeAll(async () => {
    service = await startTestService({ clock });
  });
  beforeEach(async () => {
    clock.set(new Date(START));
    made = await makeKey(service.management, { limit: PRICE_USD });
  });
  afterAll(() => service.stop());

  const raise = (json: object, hash = made.hash) => service.management.put(`/keys/${hash}/raise`, { json });
  const speak = async (): Promise<number> => (await service.as(made.key).post('/audio/speech', SPEECH)).status;
  const record = async (): Promise<unknown> => (await service.management.get(`/keys/${made.hash}`)).json.data;
  const events = async (type: string): Promise<object[]> =>
    (
      await service.sql.query<{ data: object }>(
        `select data from event where type = $1 and data ->> 'hash' = $2 order by id`,
        [type, made.hash],
      )
    ).map(({ data }) => data);

  it('allows calls above the limit until the end of the raise', async () => {
    expect([await speak(), await speak()]).toEqual([200, 402]);
    const answer = await raise({ amount_usd: PRICE_USD, until: UNTIL });
    expect([answer.status, answer.json.data.raise]).toEqual([200, { amount_usd: PRICE_USD, until: UNTIL }]);

    expect(await record()).toMatchObject({ limit: PRICE_USD, limit_remaining: PRICE_USD });
    expect([await speak(), await speak()]).toEqual([200, 402]);
    await raise({ amount_usd: 2 * PRICE_USD, until: UNTIL });
    clock.set(new Date(START + HOUR_MS));
    expect(await speak()).toBe(402);
    expect(await record()).toMatchObject({ limit: PRICE_USD, limit_remaining: 0 });
    expect((await service.management.get(`/keys/${made.hash}/settings`)).json.data.raise).toBeNull();
  });

  it('replaces an earlier raise, and ends early on request', async () => {
    await raise({ amount_usd: 1, until: UNTIL });
    expect((await raise({ amount_usd: 2, until: UNTIL })).json.data.raise.amount_usd).toBe(2);
    const { status, json } = await service.management.delete(`/keys/${made.hash}/raise`);

    expect([status, json.data.raise]).toEqual([200, null]);
    expect([await speak(), await speak()]).toEqual([200, 402]);
  });

  it('writes an event when it begins and when it has ended, and is audited', async () => {
    await raise({ amount_usd: 1, until: UNTIL });
    await service.management.patch(`/keys/${made.hash}`, { json: { name: 'renamed' } });

    const common = { hash: made.hash, limit: PRICE_USD };
    expect(await events('key.limit.raised')).toMatchObject([{ ...common, amount: 1, until: expect.any(String) }]);
    const { data } = (await service.management.get('/audit')).json;
    expect(
      data.filter(({ action, id }: { action: string; id: string }) => action === 'update' && id === made.hash),
    ).toHaveLength(2);
    clock.set(new Date(START + HOUR_MS));
    await eventually(async () => expect(await events('key.limit.raise.ended')).toMatchObject([common]), 15_000);
  }, 30_000);

  it('needs a limit, a time in the future and an amount above 0', async () => {
    const unlimited = await makeKey(service.management);

    const refused = [
      await raise({ amount_usd: 1, until: UNTIL }, unlimited.hash),
      await raise({ amount_usd: 1, until: new Date(START).toISOString() }),
      await raise({ amount_usd: 0, until: UNTIL }),
      await raise({ amount_usd: 9_000_000_001, until: UNTIL }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
    expect(refused[0]!.json.error.message).toBe('The key has no limit: set one with PATCH /keys/{hash} first');
  });

  it('may be the largest amount, even if the limit is the largest amount too', async () => {
    await service.management.patch(`/keys/${made.hash}`, { json: { limit: 9_000_000_000 } });
    expect((await raise({ amount_usd: 9_000_000_000, until: UNTIL })).status).toBe(200);

    expect(await speak()).toBe(200);
    expect(await record()).toMatchObject({ limit: 9_000_000_000 });
  });

  it('cannot be set with the standard key itself', async () => {
    const json = { amount_usd: 1, until: UNTIL };
    expect((await service.as(made.key).put(`/keys/${made.hash}/raise`, { json })).status).toBe(401);
  });
});

describe('the limit of a key that a developer sets', () => {
  const clock = new SetClock(new Date(START));
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ clock, env: { MEMBER_KEY_LIMIT: '2' } });
  });
  afterAll(() => service.stop());

  it('is at most MEMBER_KEY_LIMIT, including a raise that has not ended', async () => {
    const developer = await makePerson(service, 'developer');
    const { hash } = (await developer.browser.post('/keys', { name: 'own', limit: 1 })).json.data;
    const raise = async (amount_usd: number): Promise<number> =>
      (await send(developer, 'PUT', `/keys/${hash}/raise`, { amount_usd, until: UNTIL })).status;
    const limit = async (usd: number | null): Promise<number> =>
      (await send(developer, 'PATCH', `/keys/${hash}`, { limit: usd })).status;
    const record = async (): Promise<object> => (await service.management.get(`/keys/${hash}`)).json.data;

    expect([await raise(1.01), await raise(1)]).toEqual([403, 200]);
    expect([await limit(2), await limit(1.01), await limit(null)]).toEqual([403, 403, 403]);
    expect(await record()).toMatchObject({ limit: 1, limit_remaining: 2 });
    expect([await limit(0.5), await limit(1)]).toEqual([200, 200]);
    expect((await service.management.patch(`/keys/${hash}`, { json: { limit: 2 } })).status).toBe(200);
    clock.set(new Date(START + HOUR_MS));
    expect([await limit(2.01), await limit(2)]).toEqual([403, 200]);
    expect(await record()).toMatchObject({ limit: 2, limit_remaining: 2 });
  });
});
