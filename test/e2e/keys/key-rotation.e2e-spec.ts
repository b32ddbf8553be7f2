import { makeKey } from '../../support/api/api-builders.js';
import { eventually } from '../../support/eventually.js';
import { makeSecondAccount } from '../../support/money/second-account.js';
import {
  SetClock,
  startTestService,
  TEST_MANAGEMENT_KEY,
  type TestService,
} from '../../support/services/test-service.js';

const SPEECH = { json: { model: 'builtin/flite', voice: 'slt', input: 'Hi' } };
const NANO_USD_OF_SPEECH = 2_000;
const START = Date.parse('2026-05-06T07:08:09Z');

describe('POST /keys/{hash}/rotate', () => {
  const clock = new SetClock(new Date(START));
  let service: TestService;
  let other: TestService;
  beforeAll(async () => {
    service = await startTestService({ clock });
    other = await startTestService({ clock, databaseUrl: service.databaseUrl });
  });
  afterAll(async () => {
    await other.stop();
    await service.stop();
  });
  const create = (fields: object = {}) => makeKey(service.management, fields);
  const rotate = (hash: string, json?: object) =>
    service.management.post(`/keys/${hash}/rotate`, json === undefined ? {} : { json });
  const statusOf = async (key: string, replica = service): Promise<number> =>
    (await replica.as(key).get('/key')).status;
  const speak = async (key: string): Promise<number> => (await service.as(key).post('/audio/speech', SPEECH)).status;

  it('returns a new secret and hash, keeps all other values, and ends the former secret on every replica', async () => {
    const made = await create({ name: 'leaked', limit: 5, limit_reset: 'daily' });
    expect(await speak(made.key)).toBe(200);
    expect(await statusOf(made.key, other)).toBe(200);
    const before = (await service.management.get(`/keys/${made.hash}`)).json.data;
    const { status, json } = await rotate(made.hash);

    expect(status).toBe(200);
    expect(json.key).toMatch(/^sk-gh-v1-[0-9a-f]{64}$/);
    expect(json.key).not.toBe(made.key);
    expect(json.data).toEqual({
      ...before,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      label: expect.stringContaining('...'),
      updated_at: new Date(START).toISOString(),
    });
    expect(json.data.hash).not.toBe(made.hash);
    expect(json.data.label).not.toBe(before.label);
    expect([await statusOf(json.key), await statusOf(made.key)]).toEqual([200, 401]);
    expect(await statusOf(json.key, other)).toBe(200);
    await eventually(async () => expect(await statusOf(made.key, other)).toBe(401));
    expect((await service.management.get(`/keys/${made.hash}`)).status).toBe(404);
    expect((await service.management.get(`/keys/${json.data.hash}`)).json.data).toEqual(json.data);
  });

  it('accepts the former secret and hash for grace_seconds, and not a millisecond longer', async () => {
    clock.set(new Date(START));
    const made = await create();
    const { json } = await rotate(made.hash, { grace_seconds: 60 });
    expect([await statusOf(made.key), await statusOf(json.key)]).toEqual([200, 200]);
    const renamed = await service.management.patch(`/keys/${made.hash}`, { json: { name: 'renamed' } });
    expect(renamed.json.data).toMatchObject({ hash: json.data.hash, name: 'renamed' });

    clock.set(new Date(START + 59_999));
    expect(await statusOf(made.key)).toBe(200);
    clock.set(new Date(START + 60_000));
    expect([await statusOf(made.key), await statusOf(json.key)]).toEqual([401, 200]);
    expect((await service.management.get(`/keys/${made.hash}`)).status).toBe(404);
    clock.set(new Date(START));
  });

  it('applies one limit to the former and the new secret together, to the nano-dollar', async () => {
    const made = await create({ limit: (10 * NANO_USD_OF_SPEECH) / 1e9 });
    const { json } = await rotate(made.hash, { grace_seconds: 600 });
    const calls = Array.from({ length: 30 }, (_, index) => speak(index % 2 === 0 ? made.key : json.key));
    const statuses = await Promise.all(calls);

    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
    expect(statuses.filter((status) => status === 402)).toHaveLength(20);
    const { data } = (await service.management.get(`/keys/${json.data.hash}`)).json;
    expect(data).toMatchObject({ usage: (10 * NANO_USD_OF_SPEECH) / 1e9, limit_remaining: 0 });
  });

  it('ends the secrets of earlier rotations when the grace period of the last rotation ends', async () => {
    const first = await create();
    const second = (await rotate(first.hash, { grace_seconds: 604_800 })).json;
    const third = (await rotate(second.data.hash)).json;

    expect([await statusOf(third.key), await statusOf(second.key)]).toEqual([200, 401]);
    await eventually(async () => expect(await statusOf(first.key)).toBe(401));
  });

  it('serializes concurrent rotations: one secret is current, and the others are former secrets', async () => {
    const made = await create();
    const rotations = await Promise.all(Array.from({ length: 6 }, () => rotate(made.hash, { grace_seconds: 300 })));

    expect(rotations.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    const secrets = [made.key, ...rotations.map(({ json }) => json.key as string)];
    expect(new Set(secrets).size).toBe(7);
    for (const secret of secrets) expect(await statusOf(secret)).toBe(200);
    const [row] = await service.sql.query<{ keys: number; aliases: number }>(
      `select (select count(*)::int from key_alias where key_no = k.no) as aliases, count(*) over ()::int as keys
       from api_key k where k.hash = any($1)`,
      [rotations.map(({ json }) => json.data.hash)],
    );
    expect(row).toEqual({ keys: 1, aliases: 6 });
    await service.management.patch(`/keys/${made.hash}`, { json: { disabled: true } });
    await eventually(async () => {
      for (const secret of secrets) expect(await statusOf(secret, other)).toBe(401);
    });
  });

  it.each([
    [{ grace_seconds: -1 }],
    [{ grace_seconds: 604_801 }],
    [{ grace_seconds: 0.5 }],
    [{ grace_seconds: null }],
    [{ grace: 1 }],
  ])('returns 400 for %j', async (json) => {
    const { hash } = await create();
    expect((await rotate(hash, json)).status).toBe(400);
  });

  it('returns 409 for a disabled or expired key, and 404 for a deleted, unknown or foreign key', async () => {
    const disabled = await create();
    await service.management.patch(`/keys/${disabled.hash}`, { json: { disabled: true } });
    const expired = await create({ expires_at: '2020-01-01T00:00:00Z' });
    const deleted = await create();
    await service.management.delete(`/keys/${deleted.hash}`);
    const hashes = [disabled, expired, deleted, { hash: 'a'.repeat(64) }, { hash: 'nothing' }].map(({ hash }) => hash);
    const statuses: number[] = [];
    for (const hash of hashes) statuses.push((await rotate(hash)).status);
    expect(statuses).toEqual([409, 409, 404, 404, 404]);

    const foreign = service.as((await makeSecondAccount(service)).managementKey);
    const mine = await create();
    expect((await foreign.post(`/keys/${mine.hash}/rotate`, {})).status).toBe(404);
    expect(await statusOf(mine.key)).toBe(200);
  });

  it('keeps the key in allow-lists of BYOK credentials, and audits the rotation without a secret', async () => {
    const made = await create();
    const own = { provider: 'cerebras', key: 'any', allowed_api_key_hashes: [made.hash] };
    const { id } = (await service.management.post('/byok', { json: own })).json.data;
    const { json } = await rotate(made.hash);

    expect((await service.management.get(`/byok/${id}`)).json.data.allowed_api_key_hashes).toEqual([json.data.hash]);
    const rows = await service.sql.query<{ action: string; resource_id: string; all: string }>(
      `select action, resource_id, to_jsonb(e)::text as all
       from audit_entry e where action = 'rotate' order by id desc limit 1`,
    );
    expect(rows[0]).toMatchObject({ action: 'rotate', resource_id: json.data.hash });
    expect(rows[0]!.all).not.toContain(json.key);
  });

  it('lets the bootstrap management key rotate itself, and refuses its first secret even after a restart', async () => {
    const listed = (await service.management.get('/keys')).json.data as { hash: string; name: string }[];
    const { hash } = listed.find(({ name }) => name === 'Bootstrap management key')!;
    const { json } = await rotate(hash);
    expect((await service.management.get('/keys')).status).toBe(401);
    const next = await startTestService({ clock, databaseUrl: service.databaseUrl });
    try {
      expect([await statusOf(TEST_MANAGEMENT_KEY, next), await statusOf(json.key, next)]).toEqual([401, 200]);
    } finally {
      await next.stop();
    }
  });
});
