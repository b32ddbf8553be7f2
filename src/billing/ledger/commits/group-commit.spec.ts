import { GroupCommit } from './group-commit.js';

const refused = (): Error => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

describe('group commit', () => {
  it('sends all items that arrive during a flush as one batch, and returns an outcome for each item', async () => {
    const batches: number[][] = [];
    const commit = new GroupCommit<number, number>(async (items) => {
      batches.push([...items]);
      await new Promise((next) => setTimeout(next, 5));
      return items.map((item) => item * 10);
    });
    const first = [commit.submit(1)];
    await new Promise((next) => setImmediate(next));
    const later = [2, 3, 4].map((item) => commit.submit(item));

    expect(await Promise.all([...first, ...later])).toEqual([10, 20, 30, 40]);
    expect(batches).toEqual([[1], [2, 3, 4]]);
  });

  it('rejects only the item that causes an error', async () => {
    const commit = new GroupCommit<number, string>(async (items) => {
      if (items.includes(2)) throw new Error('2 is bad');
      return items.map(() => 'done');
    });
    const outcomes = await Promise.allSettled([1, 2, 3].map((item) => commit.submit(item)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('does not retry single items while the database is unavailable: two flushes reject 200 items', async () => {
    let flushes = 0;
    const commit = new GroupCommit<number, string>(async () => {
      flushes++;
      throw refused();
    });
    const outcomes = await Promise.allSettled(Array.from({ length: 200 }, (_, item) => commit.submit(item)));
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['rejected']));
    expect(flushes).toBeLessThanOrEqual(2);
  });

  describe('under load', () => {
    const batches: number[][] = [];
    const flush = (items: readonly number[]): Promise<number[]> => {
      batches.push([...items]);
      return Promise.resolve([...items]);
    };
    const submitAll = (commit: GroupCommit<number, number>, items: readonly number[]): Promise<number[]> =>
      Promise.all(items.map((item) => commit.submit(item)));
    const turns = async (count: number): Promise<void> => {
      for (let turn = 0; turn < count; turn++) await new Promise((next) => setImmediate(next));
    };

    beforeEach(() => (batches.length = 0));

    it('waits for twice as many items as the previous batch had', async () => {
      const commit = new GroupCommit(flush, undefined, 256, 60_000);
      await submitAll(commit, [1, 2, 3, 4]);
      const early = submitAll(commit, [5, 6, 7, 8, 9]);
      await turns(5);
      expect(batches).toHaveLength(1);
      await Promise.all([early, submitAll(commit, [10, 11, 12])]);

      expect(batches).toEqual([
        [1, 2, 3, 4],
        [5, 6, 7, 8, 9, 10, 11, 12],
      ]);
    });

    it('waits no longer than the configured maximum, and does not wait after a small batch', async () => {
      const commit = new GroupCommit(flush, undefined, 256, 1);
      await submitAll(commit, [1, 2, 3, 4]);
      await commit.submit(5);
      const slow = new GroupCommit(flush, undefined, 256, 60_000);
      await submitAll(slow, [6, 7]);
      await slow.submit(8);

      expect(batches).toEqual([[1, 2, 3, 4], [5], [6, 7], [8]]);
    });
  });

  it('gives a batch the remaining time of its most urgent item', async () => {
    const given: number[] = [];
    const commit = new GroupCommit<number, number>(async (items, timeoutMs) => {
      given.push(timeoutMs);
      return items;
    });
    const now = performance.now();
    await Promise.all([commit.submit(1, now + 60_000), commit.submit(2, now + 5_000), commit.submit(3)]);
    expect(given).toHaveLength(1);
    expect(given[0]).toBeGreaterThan(0);
    expect(given[0]).toBeLessThanOrEqual(5_000);
  });
});
