import { GroupCommit } from './group-commit.js';

describe('group commit', () => {
  it('gathers what arrives while a flush is under way into the next one, in order', async () => {
    const batches: number[][] = [];
    const release: (() => void)[] = [];
    const commit = new GroupCommit<number, number>(async (items) => {
      batches.push([...items]);
      await new Promise<void>((next) => release.push(next));
      return items.map((item) => item * 10);
    });
    const first = commit.submit(1);
    await new Promise((next) => setImmediate(next));
    await new Promise((next) => setImmediate(next));
    const later = [commit.submit(2), commit.submit(3)];
    release.shift()!();
    expect(await first).toBe(10);
    await new Promise((next) => setImmediate(next));
    release.shift()!();
    expect(await Promise.all(later)).toEqual([20, 30]);
    expect(batches).toEqual([[1], [2, 3]]);
    await commit.idle();
  });

  it('fails only the item that is at fault', async () => {
    const commit = new GroupCommit<number, number>(async (items) => {
      if (items.includes(2)) throw new Error('two');
      return [...items];
    });
    const settled = await Promise.allSettled([commit.submit(1), commit.submit(2), commit.submit(3)]);
    expect(settled.map((result) => (result.status === 'fulfilled' ? result.value : (result.reason as Error).message))).toEqual([1, 'two', 3]);
  });

  it('never sends more than a batch takes', async () => {
    const sizes: number[] = [];
    const commit = new GroupCommit<number, number>(async (items) => (sizes.push(items.length), [...items]), 4);
    await Promise.all(Array.from({ length: 10 }, (_, index) => commit.submit(index)));
    expect(sizes).toEqual([4, 4, 2]);
  });

  it('treats an answer of another length as a fault', async () => {
    const commit = new GroupCommit<number, number>(async () => []);
    await expect(commit.submit(1)).rejects.toThrow('came back as 0');
  });
});
