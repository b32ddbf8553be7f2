import { KeyedSemaphore } from './keyed-semaphore.js';

const never = new AbortController().signal;

describe('KeyedSemaphore', () => {
  it('runs one task at a time for each key and different keys in parallel, and removes idle keys', async () => {
    const semaphore = new KeyedSemaphore();
    const running = new Map<string, number>();
    let most = 0;
    const work = (key: string) => async (): Promise<string> => {
      running.set(key, (running.get(key) ?? 0) + 1);
      most = Math.max(most, [...running.values()].filter((count) => count > 0).length);
      expect(running.get(key)).toBe(1);
      await new Promise(setImmediate);
      running.set(key, 0);
      return key;
    };
    const keys = ['a', 'a', 'b', 'a', 'b', 'c'];
    expect(await Promise.all(keys.map((key) => semaphore.run(key, never, work(key))))).toEqual(keys);
    expect(most).toBe(3);
    expect(semaphore.size).toBe(0);
  });

  it('rejects a waiting task that is aborted, and frees the key when a task fails', async () => {
    const semaphore = new KeyedSemaphore();
    const gone = new AbortController();
    const failing = semaphore.run('a', never, async () => Promise.reject(new Error('no')));
    const leaver = semaphore.run('a', gone.signal, async () => 'never');
    gone.abort(new Error('left'));
    await expect(leaver).rejects.toThrow('left');
    await expect(failing).rejects.toThrow('no');
    await expect(semaphore.run('a', never, async () => 'next')).resolves.toBe('next');
    expect(semaphore.size).toBe(0);
  });
});
