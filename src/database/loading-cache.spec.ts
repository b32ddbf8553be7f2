import { LoadingCache } from './loading-cache.js';
import type { Notifications } from './notifications.js';

describe('a loading cache', () => {
  let reads: PromiseWithResolvers<string>[];
  let notify: (key: string) => void;
  let gap: () => void;
  let cache: LoadingCache<string>;
  beforeEach(() => {
    reads = [];
    const read = (): Promise<string> => {
      const deferred = Promise.withResolvers<string>();
      reads.push(deferred);
      return deferred.promise;
    };
    const notifications = {
      on: (_channel: string, handler: (key: string) => void) => (notify = handler),
      onGap: (handler: () => void) => (gap = handler),
    } as unknown as Notifications;
    cache = new LoadingCache(new Map<string, string>(), read).invalidateOn(notifications, 'changed');
  });

  it('reads once for concurrent requests, and then returns the cached value synchronously', async () => {
    const both = [cache.load('a'), cache.load('a')];
    reads[0]!.resolve('one');
    expect(await Promise.all(both)).toEqual(['one', 'one']);
    expect(cache.get('a')).toBe('one');
    expect(reads).toHaveLength(1);
  });

  it.each([
    ['a notification', () => notify('a')],
    ['a gap in the notifications', () => gap()],
  ])('does not cache a value if its read began before %s', async (_what, invalidate) => {
    const early = cache.get('a');
    invalidate();
    const late = cache.get('a');
    reads[1]!.resolve('new');
    reads[0]!.resolve('old');
    expect([await early, await late]).toEqual(['old', 'new']);
    expect(cache.get('a')).toBe('new');
  });

  it('reads again after a failure', async () => {
    const failed = cache.get('a') as Promise<string>;
    reads[0]!.reject(new Error('no'));
    await expect(failed).rejects.toThrow('no');
    const second = cache.get('a');
    reads[1]!.resolve('one');
    expect(await second).toBe('one');
  });
});
