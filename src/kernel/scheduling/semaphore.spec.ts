import { Semaphore } from './semaphore.js';

const never = new AbortController().signal;

describe('Semaphore', () => {
  it('runs at most the permitted number of tasks at once, and finally all of them', async () => {
    const slots = new Semaphore(2);
    let working = 0;
    let most = 0;
    const done = await Promise.all(
      Array.from({ length: 9 }, (_, i) =>
        slots.run(never, async () => {
          most = Math.max(most, ++working);
          await new Promise(setImmediate);
          working--;
          return i;
        }),
      ),
    );

    expect(done).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(most).toBe(2);
  });

  it('releases the permit when the work fails', async () => {
    const slots = new Semaphore(1);

    await expect(slots.run(never, async () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(slots.run(never, async () => 'next')).resolves.toBe('next');
  });

  it('removes a waiting caller from the queue if its signal aborts', async () => {
    const slots = new Semaphore(1);
    const gone = new AbortController();
    let finish = (): void => undefined;
    const first = slots.run(never, () => new Promise<void>((resolve) => (finish = resolve)));
    const leaver = slots.run(gone.signal, async () => 'never');
    const third = slots.run(never, async () => 'third');
    gone.abort(new Error('left'));

    await expect(leaver).rejects.toThrow('left');
    finish();
    await first;
    await expect(third).resolves.toBe('third');
    await expect(slots.run(never, async () => 'fourth')).resolves.toBe('fourth');
  });
});
