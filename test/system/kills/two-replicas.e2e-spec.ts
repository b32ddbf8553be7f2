import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeKey } from '../../support/api/api-builders.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';

const ROUNDS = 21;
/** Far above the target (100 ms at the median), because a busy machine must not fail the test. */
const AT_ONCE_MS = 2_000;

describe('two replicas on one database:', () => {
  let one: TestService;
  let two: TestService;
  beforeAll(async () => {
    one = await startTestService();
    two = await startTestService({ databaseUrl: one.databaseUrl });
  });
  afterAll(async () => {
    await two.stop();
    await one.stop();
  });

  const CHANGES = [
    ['disabled', (hash: string) => one.management.patch(`/keys/${hash}`, { json: { disabled: true } })],
    ['deleted', (hash: string) => one.management.delete(`/keys/${hash}`)],
    // Directly in the database: every change of the row must reach every replica.
    [
      'made to expire in the database',
      (hash: string) =>
        one.sql.query(`update api_key set expires_at = now() - interval '1 second' where hash = $1`, [hash]),
    ],
  ] as const;

  it.each(CHANGES)('a key that is %s on one replica is refused on the other replica at once', async (what, change) => {
    const took: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const { data, key } = await makeKey(one.management, { name: what });
      expect((await two.as(key).get('/key')).status).toBe(200);
      await change(data.hash);
      const start = performance.now();
      while ((await two.as(key).get('/key')).status === 200 && performance.now() - start < AT_ONCE_MS) await sleep(1);
      took.push(performance.now() - start);
      expect((await two.as(key).get('/key')).status).toBe(401);
    }
    const [median, most] = [took.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)]!, Math.max(...took)];
    process.stdout.write(
      `a key ${what} on one replica is refused on the other after ${median.toFixed(1)} ms at the median, ` +
        `${most.toFixed(1)} ms at most (${ROUNDS} rounds)\n`,
    );
    expect(median).toBeLessThan(AT_ONCE_MS);
  });

  it('a key that is created on one replica works at once on the other, which refused it before', async () => {
    const secret = `moved-in-${randomBytes(16).toString('hex')}`;
    expect((await two.as(secret).get('/key')).status).toBe(401);
    const external = { user: 'someone', api_key: secret };
    expect((await one.management.post('/keys', { json: { name: 'new', external } })).status).toBe(201);
    const start = performance.now();
    while ((await two.as(secret).get('/key')).status !== 200 && performance.now() - start < AT_ONCE_MS) await sleep(1);
    expect(performance.now() - start).toBeLessThan(AT_ONCE_MS);
  });

  it('a key whose limit is raised on one replica has the new limit on the other replica', async () => {
    const { data, key } = await makeKey(one.management, { name: 'back', limit: 0.000001 });
    const speak = async (): Promise<number> =>
      (await two.as(key).post('/audio/speech', { json: { model: 'builtin/flite', voice: 'slt', input: 'Hi' } })).status;
    expect(await speak()).toBe(402);
    await one.management.patch(`/keys/${data.hash}`, { json: { limit: 1 } });
    expect(await speak()).toBe(200);
  });

  it('a lost notification channel is opened again, and changes in the meantime are read', async () => {
    const { data, key } = await makeKey(one.management, { name: 'gap' });
    expect((await two.as(key).get('/key')).status).toBe(200);
    const listeners = `from pg_stat_activity
       where application_name = 'gatehouse-listen' and datname = current_database()`;
    await one.sql.query(`select pg_terminate_backend(pid) ${listeners}`);
    while ((await one.sql.query(`select 1 as still ${listeners}`)).length > 0) await sleep(1);
    await one.sql.query('update api_key set disabled = true where hash = $1', [data.hash]);

    const start = performance.now();
    while ((await two.as(key).get('/key')).status === 200 && performance.now() - start < 10_000) await sleep(10);
    process.stdout.write(
      `with the channel lost at that moment, the key is refused after ${(performance.now() - start).toFixed(0)} ms\n`,
    );
    expect((await two.as(key).get('/key')).status).toBe(401);
  });

  it('the last use of a key on a replica is visible on another replica after the first replica stops', async () => {
    const { data, key } = await makeKey(one.management, { name: 'used' });
    const third = await startTestService({ databaseUrl: one.databaseUrl });
    await third.as(key).get('/models');
    expect((await one.management.get(`/keys/${data.hash}`)).json.data.last_used_at).toBeNull();
    await third.stop();
    expect(Date.parse((await one.management.get(`/keys/${data.hash}`)).json.data.last_used_at)).toBeGreaterThan(0);
  });
});
