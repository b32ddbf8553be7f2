import { setTimeout as sleep } from 'node:timers/promises';
import { AdapterRegistry } from '../../../src/inference/adapter-registry.js';
import { makeKey } from '../../support/api/api-builders.js';
import { expectBalanced, readBooks } from '../../support/money/count-the-money.js';
import { HeldSpeech } from '../../support/vendors/held-speech.js';
import { SetClock, startTestService, type TestService } from '../../support/services/test-service.js';

const SPEECH = { json: { model: 'builtin/flite', voice: 'slt', input: 'Hello' } };
const PRICE_USD = 0.000005;
const FIT = 10;

/** In order of time, because the clocks of the services only advance. */
const BOUNDARIES = [
  ['daily', 'midnight', '2026-11-21T00:00:00Z'],
  ['weekly', 'Sunday to Monday', '2026-11-23T00:00:00Z'],
  ['monthly', 'November to December', '2026-12-01T00:00:00Z'],
  ['weekly', 'Monday after a month began in mid-week', '2026-12-07T00:00:00Z'],
  ['monthly', 'one year to the next', '2027-01-01T00:00:00Z'],
] as const;

describe('windows of limits on two replicas:', () => {
  const speech = new HeldSpeech();
  const clocks = [
    new SetClock(new Date('2026-11-20T12:00:00Z')),
    new SetClock(new Date('2026-11-20T12:00:00Z')),
  ] as const;
  let services: readonly [TestService, TestService];

  beforeAll(async () => {
    const options = { adapters: new AdapterRegistry({ speech: [speech] }), env: { RESERVATION_LEASE_MS: '600000' } };
    const first = await startTestService({ ...options, clock: clocks[0] });
    services = [first, await startTestService({ ...options, clock: clocks[1], databaseUrl: first.databaseUrl })];
  }, 60_000);
  afterAll(async () => {
    speech.letGo();
    await services[1].stop();
    await services[0].stop();
  });

  const setClocks = (first: number, second: number = first): void =>
    [first, second].forEach((time, index) => clocks[index]!.set(new Date(time)));
  /**
   * Starts concurrent calls, alternately through both services or all through one. While `speech` holds them, they stay
   * open.
   */
  const speak = (key: string, calls: number, through?: 0 | 1): Promise<number>[] =>
    Array.from(
      { length: calls },
      async (_, index) =>
        (await services[through ?? ((index % 2) as 0 | 1)].as(key).post('/audio/speech', SPEECH)).status,
    );
  const served = async (calls: readonly Promise<number>[]): Promise<[number, number]> => {
    const statuses = await Promise.all(calls);
    expect(statuses.filter((status) => status !== 200 && status !== 402)).toEqual([]);
    return [statuses.filter((status) => status === 200).length, statuses.filter((status) => status === 402).length];
  };

  it.each(BOUNDARIES)(
    'a %s limit is exact before and after the boundary "%s" (%s), even with calls that are open at the boundary',
    async (reset, _, boundary) => {
      const end = Date.parse(boundary);
      setClocks(end - 1_000);
      const { key, data } = await makeKey(services[0].management, {
        name: reset,
        limit: FIT * PRICE_USD,
        limit_reset: reset,
      });
      const record = async () => (await services[1].management.get(`/keys/${data.hash}`)).json.data;

      // Before the end of the window: more calls than the limit allows. The allowed calls stay open at the vendor.
      speech.hold();
      const before = speak(key, FIT + 4);
      let refused = 0;
      for (const call of before) void call.then((status) => (refused += status === 402 ? 1 : 0));
      // On a slow machine, a call that is decided later would correctly belong to the new window.
      while (speech.waiting < FIT || refused < 4) await sleep(5);
      // After the end: open calls count in the new window, so no other call fits.
      setClocks(end + 1_000);
      expect(await served(speak(key, 6))).toEqual([0, 6]);
      speech.letGo();
      expect(await served(before)).toEqual([FIT, 4]);
      // The calls settled after the end, but belong to the previous window.
      expect(await record()).toMatchObject({
        usage: FIT * PRICE_USD,
        [`usage_${reset}`]: 0,
        limit_remaining: FIT * PRICE_USD,
      });

      // Use half of the new window, then set the clocks to different windows. No window may exceed its limit.
      expect(await served(speak(key, FIT / 2))).toEqual([FIT / 2, 0]);
      setClocks(end + 2_000, end - 500);
      expect(await served([...speak(key, FIT, 0), ...speak(key, FIT, 1)])).toEqual([FIT / 2, FIT + FIT / 2]);
      setClocks(end + 3_000);
      expect(await served(speak(key, 3))).toEqual([0, 3]);
      expect(await record()).toMatchObject({
        usage: 2 * FIT * PRICE_USD,
        [`usage_${reset}`]: FIT * PRICE_USD,
        limit_remaining: 0,
      });

      const [rows] = await services[0].sql.query<object>(
        `select count(*) filter (where created_at < $2)::int as before,
           count(*) filter (where created_at >= $2)::int as after
         from generation
         where key_no = (select no from api_key where hash = $1) and cost > 0`,
        [data.hash, boundary],
      );
      expect(rows).toEqual({ before: FIT, after: FIT });
      expectBalanced(await readBooks(services[0].sql));
    },
    60_000,
  );

  it('a limit without a reset is never reset', async () => {
    setClocks(Date.parse('2027-02-01T12:00:00Z'));
    const { key } = await makeKey(services[0].management, { name: 'for ever', limit: 3 * PRICE_USD });
    expect(await served(speak(key, 5))).toEqual([3, 2]);
    setClocks(Date.parse('2028-02-01T12:00:00Z'));
    expect(await served(speak(key, 2))).toEqual([0, 2]);
  });

  it('a key is refused from the moment of its expiry, and a call that started earlier ends normally', async () => {
    const expiry = Date.parse('2028-06-01T00:00:00Z');
    setClocks(expiry - 1_000);
    const { key } = await makeKey(services[0].management, {
      name: 'expiring',
      expires_at: new Date(expiry).toISOString(),
    });
    speech.hold();
    const begun = speak(key, 1);
    while (speech.waiting < 1) await sleep(5);
    setClocks(expiry);
    expect(await Promise.all(speak(key, 2))).toEqual([401, 401]);
    speech.letGo();
    expect(await Promise.all(begun)).toEqual([200]);
  });
});
