import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { Overload } from './overload.js';

const BURST_CALLS = 2_000;
const MIN_CALLS = 128;
const MIN_RUNNING_CALLS = 64;

describe('overload', () => {
  let time: number;
  let activeShare: number;
  let overload: Overload;
  /** The keys of the started calls, in order. */
  let started: string[];
  let refused: number;
  beforeEach(() => {
    time = 0;
    activeShare = 1;
    overload = new Overload({ now: () => time, activeShare: () => activeShare });
    started = [];
    refused = 0;
  });

  const start = (key: string): void => {
    started.push(key);
    overload.callBegan();
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
  /** Uses up the burst, and lets its calls end long before another burst is served. */
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

  it('starts calls again if the started calls end without running', async () => {
    arrive(MIN_RUNNING_CALLS, 'running');
    for (let call = 0; call < 3 * MIN_RUNNING_CALLS; call++) overload.wait('other', () => started.push('unknown key'));
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

  it('serves a burst of 2,000 calls, and another one after 5 s without calls beyond the limits', async () => {
    await exhaustBurst();
    arrive(MIN_CALLS + 10);
    expect(refused).toBe(10);
    await leaveAll();
    time += 5_001;
    refused = 0;
    arrive(BURST_CALLS);
    expect(refused).toBe(0);
  });

  it('lets the keys take turns, and does not refuse a key that waits with less than its share', async () => {
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

  it('keeps at most 10,000 calls waiting', () => {
    for (let call = 0; call < 20_000; call++) arrive(1, `key ${call}`);
    expect([overload.waiting, refused]).toEqual([10_000, 20_000 - 10_000 - MIN_RUNNING_CALLS]);
  });

  it('refuses after a late commit, until a commit is in time', async () => {
    activeShare = 0;
    overload.noteCommit(600);
    arrive(MIN_CALLS + BURST_CALLS);
    expect(refused).toBe(0);
    arrive(1);
    expect(refused).toBe(1);
    overload.noteCommit(10);
    arrive(1);
    expect(refused).toBe(1);
    await leave(0);
  });
});
