import { setImmediate } from 'node:timers/promises';
import { Overload } from './overload.js';

const BURST_CALLS = 2_000;
const MIN_OWN_CALLS = 128;

describe('overload', () => {
  let time: number;
  let overload: Overload;
  beforeEach(() => {
    time = 0;
    overload = new Overload(() => time);
  });

  /** One turn of the event loop in which calls arrive, each after `ms`. Returns how many are refused. */
  const turn = async (calls: number, ms: number, key = 'a'): Promise<number> => {
    let refused = 0;
    for (let call = 0; call < calls; call++) {
      if (overload.refuses(key)) refused++;
      time += ms;
    }
    await setImmediate();
    return refused;
  };
  const callsUnderWay = (count: number): void => {
    for (let call = 0; call < count; call++) overload.callBegan();
  };
  /** Uses up the burst that is served. */
  const exhaustBurst = async (): Promise<void> => {
    for (let served = 0; served < BURST_CALLS + 100; served += 100) await turn(100, 1);
  };

  it('refuses nothing while calls wait briefly, however many are under way', async () => {
    callsUnderWay(10_000);
    await exhaustBurst();
    time += 10_000;
    // Ends the turn whose length is remembered.
    await turn(1, 0);
    expect(await turn(25, 1)).toBe(0);
  });

  it.each([
    [MIN_OWN_CALLS - 1, false],
    [MIN_OWN_CALLS, true],
  ])('with %i own calls under way and long waits refuses: %s', async (count, isRefused) => {
    callsUnderWay(MIN_OWN_CALLS);
    await exhaustBurst();
    for (let call = count; call < MIN_OWN_CALLS; call++) overload.callLeft();
    expect((await turn(100, 1)) > 0).toBe(isRefused);
  });

  it('serves a burst, and another one after a pause', async () => {
    callsUnderWay(MIN_OWN_CALLS);
    expect(await turn(BURST_CALLS, 1)).toBe(0);
    await turn(100, 1);
    expect(await turn(100, 1)).toBe(100);
    time += 5_001;
    expect(await turn(BURST_CALLS, 1)).toBe(0);
  });

  it('refuses after a late commit, until a commit is in time', async () => {
    callsUnderWay(MIN_OWN_CALLS);
    await exhaustBurst();
    time += 1_000;
    await turn(1, 0);
    overload.noteCommit(600);
    expect(await turn(1, 0)).toBe(1);
    overload.noteCommit(10);
    expect(await turn(1, 0)).toBe(0);
  });

  it('does not use the share of another key', async () => {
    callsUnderWay(MIN_OWN_CALLS);
    await exhaustBurst();
    let [greedy, modest] = [0, 0];
    for (let round = 0; round < 40; round++) {
      if (overload.refuses('b')) modest++;
      greedy += await turn(40, 1);
    }
    expect(modest / 40).toBeLessThan(0.2);
    expect(greedy / 1_600).toBeGreaterThan(0.8);
  });
});
