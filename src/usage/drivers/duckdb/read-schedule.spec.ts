import { setTimeout as sleep } from 'node:timers/promises';
import { ReadSchedule } from './read-schedule.js';

describe('ReadSchedule', () => {
  let threads: number[];
  let turns: ReadSchedule;
  beforeEach(() => {
    threads = [];
    turns = new ReadSchedule(4, 3, (count) => Promise.resolve(void threads.push(count)));
  });
  const never = new AbortController().signal;

  /** Starts `count` reads at once, and returns the maximum number that ran at the same time. */
  const together = async (calls: boolean, count: number): Promise<number> => {
    let now = 0;
    let most = 0;
    const read = async (): Promise<void> => {
      most = Math.max(most, ++now);
      await sleep(5);
      now--;
    };
    await Promise.all(Array.from({ length: count }, () => turns.run(calls, read, never)));
    return most;
  };

  it('runs reads in parallel on all threads while no calls arrive', async () => {
    expect(await together(false, 3)).toBe(3);
    expect(threads).toEqual([]);
  });

  it('runs one read at a time on fewer threads while calls arrive, and restores the threads later', async () => {
    expect(await together(true, 3)).toBe(1);
    expect(threads).toEqual([3]);
    expect(await together(false, 2)).toBe(2);
    expect(threads).toEqual([3, 4]);
  });

  it('returns the result at once, and then pauses for twice the duration of the read', async () => {
    const began = performance.now();
    const times: number[] = [];
    const read = async (): Promise<void> => {
      await sleep(30);
      times.push(performance.now() - began);
    };
    const first = turns.run(true, read, never);
    const second = turns.run(true, read, never);
    await first;
    expect(times).toHaveLength(1);
    await second;
    // A pause of 60 ms and a read of 30 ms; a timer may be a little early.
    expect(times[1]! - times[0]!).toBeGreaterThan(80);
  });

  it('stores recorded calls between two reads; the next read waits until they are stored', async () => {
    const order: string[] = [];
    const during = (name: string) => async (): Promise<void> => {
      order.push(`${name} begins`);
      await sleep(10);
      order.push(`${name} ends`);
    };
    const reads = [turns.run(true, during('read'), never), turns.run(true, during('next read'), never)];
    await sleep(2);
    await Promise.all([...reads, turns.write(true, during('write'))]);
    expect(order).toEqual([
      'read begins',
      'read ends',
      'write begins',
      'write ends',
      'next read begins',
      'next read ends',
    ]);
  });

  it('stores recorded calls at once while no calls arrive, and after a timeout during a long read', async () => {
    let over = false;
    const long = async (): Promise<void> => {
      await sleep(700);
      over = true;
    };
    const read = turns.run(true, long, never);
    await turns.write(false, () => Promise.resolve(expect(over).toBe(false)));
    await turns.write(true, () => Promise.resolve(expect(over).toBe(false)));
    await read;
  });

  it('rejects if the recorded calls cannot be stored', async () => {
    await expect(turns.write(true, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await expect(turns.write(true, () => Promise.resolve())).resolves.toBeUndefined();
  });

  it('rejects with the error of a read, starts the next read, and removes an aborted read from the queue', async () => {
    const leave = new AbortController();
    const failing = turns.run(true, () => Promise.reject(new Error('broken')), never);
    const leaving = turns.run(true, () => Promise.resolve('never'), leave.signal);
    const next = turns.run(true, () => Promise.resolve('next'), never);
    leave.abort(new Error('gone'));
    await expect(failing).rejects.toThrow('broken');
    await expect(leaving).rejects.toThrow('gone');
    await expect(next).resolves.toBe('next');
  });
});
