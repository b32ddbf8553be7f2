import { Catalogue } from '../../catalogue/catalogue.js';
import { demoCompany, demoTraffic } from './demo-data.js';
import { DAY_MS, DAYS, HOUR_MS, workingDayBefore } from './demo-days.js';
import { scheduleCalls, type DemoCall } from './demo-schedule.js';

const UNTIL = new Date('2026-11-27T15:30:00Z');
const CALLS = 20_000;
const catalogue = new Catalogue();
const schedule = (seed: number, calls = CALLS): DemoCall[] =>
  scheduleCalls({
    company: demoCompany(),
    traffic: demoTraffic(),
    calls,
    seed,
    until: UNTIL,
    findModel: (id) => catalogue.find(id),
  });

describe('the calls of the demo data', () => {
  const calls = schedule(1);
  const share = (condition: (call: DemoCall) => boolean): number => calls.filter(condition).length / calls.length;

  it('are as many as requested, in the order of their times, in the thirty days before the given time', () => {
    expect(calls).toHaveLength(CALLS);
    const times = calls.map(({ at }) => at.getTime());
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect(times[0]!).toBeGreaterThanOrEqual(UNTIL.getTime() - DAYS * DAY_MS);
    expect(times.at(-1)!).toBeLessThan(UNTIL.getTime());
  });

  it('are the same for the same seed, and different for another seed', () => {
    const plain = (found: readonly DemoCall[]): string =>
      JSON.stringify(found, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
    expect(plain(schedule(1, 500))).toBe(plain(schedule(1, 500)));
    expect(plain(schedule(2, 500))).not.toBe(plain(schedule(1, 500)));
  });

  it('are calls of models and providers in the shipped catalogue, with the prices of the catalogue', () => {
    for (const { modality, models } of Object.values(demoTraffic().profiles))
      for (const { id, providers } of models) {
        const endpoints = catalogue.find(id)?.endpoints.filter(({ capability }) => capability === modality) ?? [];
        const missing = providers.filter((slug) => !endpoints.some(({ provider }) => provider === slug));
        expect([id, missing]).toEqual([id, []]);
      }
    const served = calls.filter(({ outcome }) => outcome.end === 'served');
    expect(served.filter(({ price }) => price.price === 0n).map(({ model }) => model)).toEqual([]);
  });

  it('are fewer at weekends, and more on the day of the spike', () => {
    const perDay = Map.groupBy(calls, ({ at }) => Math.floor(at.getTime() / DAY_MS) * DAY_MS);
    const counts = (isWanted: (day: number) => boolean): number[] =>
      [...perDay].filter(([day]) => isWanted(day)).map(([, found]) => found.length);
    const mean = (numbers: readonly number[]): number =>
      numbers.reduce((sum, count) => sum + count, 0) / numbers.length;
    const spike = workingDayBefore(UNTIL, demoTraffic().spike.daysAgo);
    const isWeekend = (day: number): boolean => [0, 6].includes(new Date(day).getUTCDay());
    const ordinary = counts((day) => !isWeekend(day) && day !== spike);
    expect(mean(counts(isWeekend))).toBeLessThan(0.6 * mean(ordinary));
    expect(perDay.get(spike)!.length).toBeGreaterThan(1.3 * mean(ordinary));
  });

  it('fail at a provider in the hour of its outage, and fall back unless the key forbids fallbacks', () => {
    const { outage, profiles } = demoTraffic();
    const from = workingDayBefore(UNTIL, outage.daysAgo) + outage.hour * HOUR_MS;
    const firsts = new Map(
      Object.values(profiles).flatMap(({ models }) => models.map((model) => [model.id, model.providers[0]])),
    );
    const struck = [1, 2, 3]
      .flatMap((seed) => schedule(seed))
      .filter(
        ({ at, model }) =>
          at.getTime() >= from && at.getTime() < from + HOUR_MS && firsts.get(model) === outage.provider,
      );
    const overloaded = struck.filter(({ outcome }) => outcome.attempts[0]!.failure?.code === 'provider_overloaded');
    expect(struck.length).toBeGreaterThan(10);
    expect(overloaded.length / struck.length).toBeGreaterThan(0.7);
    expect(overloaded.every(({ key, outcome }) => (outcome.end === 'failed') === (key.noFallback === true))).toBe(true);
  });

  it('fail seldom, and each failure has a reason', () => {
    expect(share(({ outcome }) => outcome.end === 'failed')).toBeGreaterThan(0.003);
    expect(share(({ outcome }) => outcome.end === 'failed')).toBeLessThan(0.03);
    const failed = calls.filter(({ outcome }) => outcome.end === 'failed');
    expect(failed.every(({ outcome }) => outcome.attempts.at(-1)!.failure!.message.length > 10)).toBe(true);
  });
});
