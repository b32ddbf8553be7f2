import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { Overload } from './overload.js';

const BURST_CALLS = 2_000;
const MIN_CALLS = 128;
const MIN_RUNNING_CALLS = 64;

describe('overload control', () => {
  let time: number;
  let activeShare: number;
  let overload: Overload;
  /** The keys of the started calls, in order. */
  let started: string[];
  let refused: number;
  afterEach(async () => {
    // Start the waiting calls, so that no call starts during the next test.
    activeShare = 0;
    time += 10_000;
    while (overload.waiting > 0) await leave(MIN_RUNNING_CALLS);
  });
  beforeEach(() => {
    time = 0;
    activeShare = 1;
    overload = new Overload({ now: () => time, activeShare: () => activeShare });
    started = [];
    refused = 0;
  });

  const start = (key: string): boolean => {
    started.push(key);
    const own = overload;
    // As in the service, a started call counts as running only later in the turn of the event loop.
    void Promise.resolve().then(() => own.callBegan());
    return true;
  };
  const arrive = (calls: number, key = 'a'): void => {
    for (let call = 0; call < calls; call++) {
      const decision = overload.decide(key);
      if (decision === 'start') start(key);
      else if (decision === 'wait') overload.wait(key, () => start(key));
      else refused++;
    }
  };
  /** Lets calls end, and waits for the end of the turns in which other calls start. */
  const leave = async (calls: number): Promise<void> => {
    for (let call = 0; call < calls; call++) overload.callLeft();
    for (let turn = 0; turn < 3; turn++) await setImmediate();
  };
  const leaveAll = async (): Promise<void> => {
    for (let left = 0; left < started.length; left++) await leave(1);
    started = [];
  };
  /** Uses up the burst, and ends its calls before another burst would be served. */
  const exhaustBurst = async (): Promise<void> => {
    arrive(MIN_CALLS + BURST_CALLS);
    await leaveAll();
    time += 4_000;
  };

  it('starts all calls while the processor is not busy', async () => {
    activeShare = 0.94;
    arrive(10_000);
    await leave(0);
    expect([started.length, overload.waiting, refused]).toEqual([10_000, 0, 0]);
  });

  it('starts 64 calls while the processor is busy, and the others in order when calls leave', async () => {
    arrive(MIN_RUNNING_CALLS, 'first');
    arrive(2, 'second');
    expect(started).toHaveLength(MIN_RUNNING_CALLS);
    await leave(1);
    expect(started.slice(MIN_RUNNING_CALLS)).toEqual(['second']);
    await leave(5);
    expect([started.length, overload.waiting]).toEqual([MIN_RUNNING_CALLS + 2, 0]);
  });

  it('runs as many calls as leave within 20 ms', async () => {
    // 10 calls leave in each millisecond.
    for (; time < 1_000; time++) {
      arrive(10);
      await leave(10);
    }
    started = [];
    arrive(300);
    expect(started.length).toBeGreaterThan(195);
    expect(started.length).toBeLessThan(205);
  });

  it('lets as many calls wait as start within 50 ms, plus a burst', async () => {
    for (; time < 1_000; time++) {
      arrive(10);
      await leave(10);
    }
    started = [];
    arrive(4_000);
    expect(4_000 - started.length - refused - BURST_CALLS).toBeGreaterThan(480);
    expect(4_000 - started.length - refused - BURST_CALLS).toBeLessThan(560);
  });

  it('starts calls again if the started calls end without running', async () => {
    arrive(MIN_RUNNING_CALLS, 'running');
    for (let call = 0; call < 3 * MIN_RUNNING_CALLS; call++)
      overload.wait('other', () => started.push('unknown key') > 0);
    await leave(MIN_RUNNING_CALLS);
    for (let turn = 0; turn < 5; turn++) await setImmediate();
    expect([started.filter((key) => key === 'unknown key').length, overload.waiting]).toEqual([192, 0]);
  });

  it('starts the waiting calls when the processor is no longer busy', async () => {
    arrive(MIN_CALLS);
    time += 200;
    activeShare = 0.1;
    await sleep(250);
    expect([started.length, overload.waiting]).toEqual([MIN_CALLS, 0]);
  });

  it('refuses no call while at most 128 run or wait', async () => {
    await exhaustBurst();
    arrive(MIN_CALLS);
    expect([started.length, overload.waiting, refused]).toEqual([MIN_RUNNING_CALLS, MIN_CALLS - MIN_RUNNING_CALLS, 0]);
    arrive(1);
    expect(refused).toBe(1);
  });

  it('serves a burst of 2,000 calls, and another burst after 5 s without calls beyond the limits', async () => {
    await exhaustBurst();
    arrive(MIN_CALLS + 10);
    expect(refused).toBe(10);
    await leaveAll();
    time += 5_001;
    refused = 0;
    arrive(BURST_CALLS);
    expect(refused).toBe(0);
  });

  it('lets keys take turns, and refuses no call of a key with less than its share of the waiting calls', async () => {
    await exhaustBurst();
    arrive(1_000, 'greedy');
    expect(refused).toBeGreaterThan(800);
    refused = 0;
    arrive(2, 'modest');
    expect(refused).toBe(0);
    started = [];
    await leave(4);
    expect(started).toEqual(['greedy', 'modest', 'greedy', 'modest']);
  });

  it('is strained while calls wait, and after a late commit', async () => {
    arrive(MIN_RUNNING_CALLS);
    expect(overload.isStrained).toBe(false);
    arrive(1);
    expect(overload.isStrained).toBe(true);
    await leave(MIN_RUNNING_CALLS);
    expect(overload.isStrained).toBe(false);
    overload.recordCommitWait(600);
    expect(overload.isStrained).toBe(true);
    time += 600;
    expect(overload.isStrained).toBe(false);
  });

  it('keeps at most 4,000 calls waiting', () => {
    for (let call = 0; call < 10_000; call++) arrive(1, `key ${call}`);
    expect([overload.waiting, refused]).toEqual([4_000, 10_000 - 4_000 - MIN_RUNNING_CALLS]);
  });

  it('starts at most 64 calls in two turns of the event loop before they are counted as running', async () => {
    for (let call = 0; call < 200; call++)
      if (overload.decide('a') === 'start') started.push('a');
      else overload.wait('a', () => started.push('a') > 0);
    expect(started).toHaveLength(MIN_RUNNING_CALLS);
    await setImmediate();
    expect(started).toHaveLength(MIN_RUNNING_CALLS);
  });

  it('starts some waiting calls every 100 ms, even if no call leaves', async () => {
    arrive(MIN_CALLS);
    await sleep(350);
    expect(started.length).toBeGreaterThan(MIN_RUNNING_CALLS);
    expect(started.length).toBeLessThan(MIN_CALLS);
    await leaveAll();
  });

  it('does not start all waiting calls in one turn when the processor is no longer busy', async () => {
    for (let key = 0; key < 1_000; key++) arrive(1, `key ${key}`);
    time += 200;
    activeShare = 0.1;
    await leave(0);
    expect(started.length).toBeLessThanOrEqual(5 * MIN_RUNNING_CALLS);
    await sleep(300);
    expect(overload.waiting).toBe(0);
  });

  it('gives the place of a call whose caller has left to the next call', async () => {
    arrive(MIN_RUNNING_CALLS);
    overload.wait('left', () => false);
    overload.wait('present', () => start('present'));
    await leave(1);
    expect([started.at(-1), overload.waiting]).toEqual(['present', 0]);
  });

  it('refuses calls after a late commit, until a commit is in time', async () => {
    activeShare = 0;
    overload.recordCommitWait(600);
    arrive(MIN_CALLS + BURST_CALLS);
    await leave(0);
    expect(refused).toBe(0);
    arrive(1);
    expect(refused).toBe(1);
    overload.recordCommitWait(10);
    arrive(1);
    expect(refused).toBe(1);
  });

  it('refuses no call of a key with less than its share of the admitted calls, even after a late commit', async () => {
    activeShare = 0;
    overload.recordCommitWait(600);
    arrive(MIN_CALLS + BURST_CALLS, 'greedy');
    await leave(0);
    arrive(10, 'modest');
    expect(refused).toBe(0);
    arrive(10, 'greedy');
    expect(refused).toBe(10);
  });
});
