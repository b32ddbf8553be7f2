import { setTimeout as sleep } from 'node:timers/promises';
import { within } from './time-limit.js';

const never = (): Promise<never> => new Promise(() => undefined);

describe('work within a time limit', () => {
  it('resolves and rejects like the work', async () => {
    expect(await within({ ms: 5_000 }, async () => 'done')).toBe('done');
    await expect(within({ ms: 5_000 }, async () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  });

  it('ends work that ignores its signal, and states its time limit', async () => {
    await expect(within({ ms: 100 }, never)).rejects.toThrow('it took longer than 100 ms');
    await expect(within({ ms: -5 }, never)).rejects.toThrow('it took longer than 0 ms');
  });

  it('states what the work was waiting for, if the work reports it', async () => {
    const work = (signal: AbortSignal): Promise<never> =>
      new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(new Error('the engine does not respond'))),
      );
    await expect(within({ ms: 20 }, work)).rejects.toThrow('the engine does not respond');
  });

  it('ends early if its signal is aborted, before or during the work', async () => {
    await expect(within({ ms: 60_000, signal: AbortSignal.abort(new Error('lost')) }, never)).rejects.toThrow('lost');
    const lost = new AbortController();
    const working = within({ ms: 60_000, signal: lost.signal }, never);
    lost.abort(new Error('lost meanwhile'));
    await expect(working).rejects.toThrow('lost meanwhile');
  });

  it('undoes a late result exactly once', async () => {
    const undone: string[] = [];
    const late = within({ ms: 20, undo: async (made: string) => undone.push(made) }, async () =>
      sleep(500).then(() => 'a runtime'),
    );
    await expect(late).rejects.toThrow('it took longer');
    await sleep(600);
    expect(undone).toEqual(['a runtime']);
    await within({ ms: 5_000, undo: async () => undone.push('never') }, async () => 'in time');
    expect(undone).toEqual(['a runtime']);
  });
});
