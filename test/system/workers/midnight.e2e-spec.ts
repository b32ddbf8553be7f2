import { setTimeout as sleep } from 'node:timers/promises';
import { makeKey } from '../../support/api/api-builders.js';
import { apiClient } from '../../support/api/api-client.js';
import { eventually } from '../../support/eventually.js';
import { LONG_TESTS } from '../../support/long-tests.js';
import {
  MAX_OUTPUT_TOKENS,
  MAX_PROMPT_TOKENS,
  WORST_CASE_NANO,
  type SeenStream,
} from '../../support/money/chat-load.js';
import { expectSettled } from '../../support/money/count-the-money.js';
import { ServicePair } from '../../support/money/service-pair.js';
import { SkewedClocks } from '../../support/services/skewed-clocks.js';
import { TEST_MANAGEMENT_KEY } from '../../support/services/test-service.js';
import { streamEvents } from '../../support/vendors/scripted-chat-vendor.js';

const [CALLS, FIT] = LONG_TESTS ? [1_000, 137] : [100, 37];
const HALF = Math.floor(FIT / 2);
/** The number of open calls at midnight, for the key without a limit. */
const OPEN = 20;
const LIMIT = Number(WORST_CASE_NANO * BigInt(FIT)) / 1e9;
const RESETS = ['daily', 'weekly', 'monthly'] as const;
/** The start of a day, a week and a month. */
const MIDNIGHT = Date.parse('2027-02-01T00:00:00Z');
/** The second service's clock is behind by this time. */
const SKEW_MS = 1_000;
/** The usage of every call: the maximum. */
const USAGE = { prompt_tokens: MAX_PROMPT_TOKENS, completion_tokens: MAX_OUTPUT_TOKENS };

interface Limited {
  readonly reset: (typeof RESETS)[number];
  readonly key: string;
  readonly hash: string;
}

describe('limits that reset, on two services with WORKERS=3 and different clocks', () => {
  let clocks: SkewedClocks;
  let pair: ServicePair;
  /** How many of the next calls the vendor is to hold open. */
  let toHold = 0;
  let held = 0;
  const released = Promise.withResolvers<void>();

  beforeAll(async () => {
    clocks = await SkewedClocks.open(MIDNIGHT - 3_600_000, MIDNIGHT - 3_600_000 - SKEW_MS);
    pair = await ServicePair.open({
      workers: 3,
      script: () => {
        const events = streamEvents(1, USAGE);
        if (toHold === 0) return { events };
        toHold--;
        held++;
        return { events, holdAfter: 1, released: released.promise };
      },
      connections: 450,
      env: [clocks.env(0), clocks.env(1)],
      preload: SkewedClocks.preload,
    });
  }, 180_000);
  afterAll(async () => {
    released.resolve();
    await pair.close();
    await clocks.close();
  }, 60_000);

  const streams = (key: string, count: number): Promise<SeenStream>[] =>
    Array.from({ length: count }, (_, index) => pair.stream(index % 2, key));
  /** The number of successful calls. The others were refused because of the limit. */
  const served = async (calls: readonly Promise<SeenStream>[]): Promise<number> => {
    const seen = await Promise.all(calls);
    expect(seen.filter(({ status, whole }) => status !== 402 && !(status === 200 && whole))).toEqual([]);
    return seen.filter(({ status }) => status === 200).length;
  };
  /** The number of successful calls of each key, in the order of the keys. */
  const servedOf = (keys: readonly Limited[], count: number): Promise<number[]> =>
    Promise.all(keys.map(({ key }) => served(streams(key, count))));
  const each = (count: number): number[] => RESETS.map(() => count);
  /** Makes streaming calls with `key` at both services until the first service's clock reaches `time`. All succeed. */
  const streamUntil = async (key: string, time: number): Promise<void> => {
    await Promise.all(
      [0, 1, 0, 1].map(async (service) => {
        while (clocks.now(0) < time)
          expect(await pair.stream(service, key)).toMatchObject({ status: 200, whole: true });
      }),
    );
  };
  /** The spend of a key in the windows before and after midnight, from its balance and from its records. */
  const windowsOf = async (hash: string): Promise<{ balance: object; records: object }> => {
    const [balance] = await pair.sql.query<object>(
      `select usage_day as day, usage_prev_day as prev_day, usage_week as week, usage_prev_week as prev_week,
         usage_month as month, usage_prev_month as prev_month
       from key_balance where key_no = (select no from api_key where hash = $1) and day_start = $2
         and week_start = $2 and month_start = $2`,
      [hash, new Date(MIDNIGHT).toISOString().slice(0, 10)],
    );
    const [records] = await pair.sql.query<{ now: bigint; before: bigint }>(
      `select coalesce(sum(cost) filter (where created_at >= $2), 0)::bigint as now,
         coalesce(sum(cost) filter (where created_at < $2), 0)::bigint as before
       from generation where key_no = (select no from api_key where hash = $1)`,
      [hash, new Date(MIDNIGHT)],
    );
    const { now, before } = records!;
    return {
      balance: balance!,
      records: { day: now, prev_day: before, week: now, prev_week: before, month: now, prev_month: before },
    };
  };

  it(
    `admit exactly ${FIT} of ${CALLS} calls before midnight, which end after it, and ${FIT} calls after midnight`,
    async () => {
      const management = apiClient(pair.services[0]!.origin, TEST_MANAGEMENT_KEY);
      const keys: Limited[] = [];
      for (const reset of RESETS)
        keys.push({ reset, ...(await makeKey(management, { name: reset, limit: LIMIT, limit_reset: reset })) });
      const free = await makeKey(management, { name: 'free' });

      // Before midnight: the calls that fit stay open at the vendor.
      toHold = RESETS.length * FIT;
      let refused = 0;
      const before = keys.map(({ key }) => streams(key, CALLS));
      for (const call of before.flat()) void call.then(({ status }) => (refused += status === 402 ? 1 : 0));
      await eventually(async () => expect([held, refused]).toEqual([3 * FIT, 3 * (CALLS - FIT)]), 120_000);
      toHold = OPEN;
      const open = streams(free.key, OPEN);
      await eventually(async () => expect(held).toBe(3 * FIT + OPEN), 10_000);

      // Midnight passes on one service, then on the other. Open calls count in the new window, so no other call fits.
      await clocks.set(MIDNIGHT - 1_000, MIDNIGHT - 1_000 - SKEW_MS);
      const across = streamUntil(free.key, MIDNIGHT + 2 * SKEW_MS);
      for (let probe = 0; probe < 5; probe++) {
        expect(await servedOf(keys, 2)).toEqual(each(0));
        await sleep(500);
      }
      await across;
      released.resolve();
      expect(await Promise.all(before.map(served))).toEqual(each(FIT));
      expect(await served(open)).toBe(OPEN);
      for (const { reset, hash } of keys)
        expect((await management.get(`/keys/${hash}`)).json).toMatchObject({
          data: { usage: LIMIT, [`usage_${reset}`]: 0, limit_remaining: LIMIT },
        });

      // After midnight, and while the clocks are in different windows: no window exceeds its limit.
      expect(await servedOf(keys, HALF)).toEqual(each(HALF));
      await clocks.set(MIDNIGHT + 60_000, MIDNIGHT - 60_000);
      const apart = streamUntil(free.key, MIDNIGHT + 61_000);
      expect(await servedOf(keys, CALLS)).toEqual(each(FIT - HALF));
      await apart;
      await clocks.set(MIDNIGHT + 120_000, MIDNIGHT + 120_000 - SKEW_MS);
      expect(await servedOf(keys, 4)).toEqual(each(0));

      await expectSettled(pair.sql, 20_000);
      const full = WORST_CASE_NANO * BigInt(FIT);
      for (const { reset, hash } of keys) {
        const { balance, records } = await windowsOf(hash);
        expect({ reset, balance }).toEqual({ reset, balance: records });
        expect(records).toMatchObject({ day: full, prev_day: full });
      }
      const { balance, records } = await windowsOf(free.hash);
      expect(balance).toEqual(records);
    },
    CALLS * 300 + 120_000,
  );
});
