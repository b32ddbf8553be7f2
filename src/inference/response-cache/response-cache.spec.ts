import { jest } from '@jest/globals';
import type { Catalogue } from '../../catalogue/catalogue.js';
import type { ModelAliases } from '../../catalogue/names/model-aliases.js';
import type { Config } from '../../config/config.js';
import { ResponseCache, type CachedResponse } from './response-cache.js';
import type { ServedCall } from './served-call.js';
import { SharedCall } from './shared-call.js';

const KIB = 1_024;
const MAX_BYTES = 64 * KIB;

function aCache(bytes = MAX_BYTES): { cache: ResponseCache; swap: () => void; rename: () => void } {
  const listeners: Record<'swap' | 'rename', () => void> = { swap: () => undefined, rename: () => undefined };
  const cache = new ResponseCache(
    { values: { RESPONSE_CACHE_BYTES: bytes } } as unknown as Config,
    { onSwap: (listener: () => void) => void (listeners.swap = listener) } as unknown as Catalogue,
    { onChange: (listener: () => void) => void (listeners.rename = listener) } as unknown as ModelAliases,
  );
  return { cache, swap: () => listeners.swap(), rename: () => listeners.rename() };
}

const aCall = (): SharedCall => new SharedCall(() => undefined);
const aResponse = (bytes: number, ttlMs = 300_000): CachedResponse<string> => ({
  served: {} as ServedCall,
  response: { bytes, contentFor: (id) => id },
  storedAt: performance.now(),
  ttlMs,
});

function store(cache: ResponseCache, key: string, response: CachedResponse<unknown>): void {
  const call = aCall();
  cache.begin(key, call);
  cache.store(key, call, response);
}

describe('the memory of the response cache', () => {
  afterEach(() => void jest.restoreAllMocks());

  it('has a response until its time to live is over, and not a millisecond longer', () => {
    const { cache } = aCache();
    jest.spyOn(performance, 'now').mockReturnValue(1_000);
    store(cache, 'k', aResponse(1, 60_000));
    jest.mocked(performance.now).mockReturnValue(60_999);
    expect(cache.find('k', 86_400_000)).toBeDefined();
    jest.mocked(performance.now).mockReturnValue(61_000);
    expect(cache.find('k', 86_400_000)).toBeUndefined();
    jest.mocked(performance.now).mockReturnValue(60_999);
    expect(cache.find('k', 86_400_000)).toBeUndefined();
  });

  it('keeps a response that one reader refuses as too old', () => {
    const { cache } = aCache();
    jest.spyOn(performance, 'now').mockReturnValue(0);
    store(cache, 'k', aResponse(1, 60_000));
    jest.mocked(performance.now).mockReturnValue(10_000);
    expect(cache.find('k', 10_000)).toBeUndefined();
    expect(cache.find('k', 10_001)).toBeDefined();
  });

  it('evicts the least recently used response if its size limit is exceeded', () => {
    const { cache } = aCache();
    for (const key of ['a', 'b', 'c', 'd']) store(cache, key, aResponse(15 * KIB));
    expect(cache.find('a', 300_000)).toBeDefined();
    store(cache, 'e', aResponse(15 * KIB));
    expect(['a', 'b', 'c', 'd', 'e'].filter((key) => cache.find(key, 300_000))).toEqual(['a', 'c', 'd', 'e']);
  });

  it.each([
    [15 * KIB, true],
    [15 * KIB + 1, false],
  ])('keeps only responses of at most a quarter of the cache (%i bytes are kept: %s)', (bytes, isKept) => {
    const { cache } = aCache();
    store(cache, 'k', aResponse(bytes));
    expect(cache.find('k', 300_000) !== undefined).toBe(isKept);
  });

  it.each(['swap', 'rename'] as const)(
    'is empty after a change of models (%s), and drops calls under way',
    (change) => {
      const { cache, ...changes } = aCache();
      store(cache, 'kept', aResponse(1));
      const call = aCall();
      cache.begin('under way', call);
      changes[change]();
      expect(cache.find('kept', 300_000)).toBeUndefined();
      expect(cache.callFor('under way')).toBeUndefined();
      cache.store('under way', call, aResponse(1));
      expect(cache.find('under way', 300_000)).toBeUndefined();
    },
  );

  it('keeps only the response of the latest call for a cache key', () => {
    const { cache } = aCache();
    const [older, newer] = [aCall(), aCall()];
    cache.begin('k', older);
    cache.begin('k', newer);
    cache.end('k', older);
    cache.store('k', older, aResponse(1));
    expect([cache.find('k', 300_000), cache.callFor('k')]).toEqual([undefined, newer]);
    cache.store('k', newer, aResponse(1));
    expect(cache.find('k', 300_000)).toBeDefined();
    expect(cache.callFor('k')).toBeUndefined();
  });

  it('limits the bytes of calls under way', () => {
    const { cache } = aCache();
    expect(cache.hold(MAX_BYTES)).toBe(true);
    expect(cache.hold(1)).toBe(false);
    cache.release(1);
    expect(cache.hold(1)).toBe(true);
  });

  it('is off with 0 bytes', () => {
    expect([aCache(0).cache.isOn, aCache(1).cache.isOn]).toEqual([false, true]);
  });
});
