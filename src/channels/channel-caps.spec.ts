import { jest } from '@jest/globals';
import { NO_CREDENTIAL, type CapSettings as Caps } from './channel.js';
import { ChannelCaps, type CappedUse } from './channel-caps.js';

const NONE: Caps = { rpm: null, tpm: null, maxConcurrent: null };

describe('the limits of a credential', () => {
  let caps: ChannelCaps;
  let now: number;
  beforeEach(() => {
    caps = new ChannelCaps();
    now = 5_000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => void jest.restoreAllMocks());
  const take = (limits: Partial<Caps>, id = 'a') => caps.take({ ...NO_CREDENTIAL, id, caps: { ...NONE, ...limits } });
  const taken = (limits: Partial<Caps>): CappedUse => take(limits) as CappedUse;

  it('admit so many calls a minute and not one more, for each credential', () => {
    for (let call = 0; call < 3; call++) taken({ rpm: 3 }).release();
    now += 20_000;
    expect(take({ rpm: 3 })).toEqual({ cap: 'rpm', ms: 40_000 });
    expect(take({ rpm: 3 }, 'b')).not.toHaveProperty('cap');
    now += 40_000;
    expect(take({ rpm: 3 })).not.toHaveProperty('cap');
  });

  it('admit calls until the tokens of a minute are used', () => {
    taken({ tpm: 100 }).addTokens(99);
    taken({ tpm: 100 }).addTokens(1);
    expect(take({ tpm: 100 })).toEqual({ cap: 'tpm', ms: 60_000 });
    now += 60_000;
    expect(take({ tpm: 100 })).not.toHaveProperty('cap');
  });

  it('admit so many calls at once, whose places are free when they end', () => {
    const [first] = [taken({ maxConcurrent: 2 }), taken({ maxConcurrent: 2 })];
    expect(take({ maxConcurrent: 2 })).toMatchObject({ cap: 'max_concurrent' });
    first.release();
    first.release();
    expect(take({ maxConcurrent: 2 })).not.toHaveProperty('cap');
    expect(take({ maxConcurrent: 2 })).toMatchObject({ cap: 'max_concurrent' });
    now += 60_000;
    expect(take({ maxConcurrent: 2 })).toMatchObject({ cap: 'max_concurrent' });
  });

  it('count nothing for a credential without limits', () => {
    expect(caps.take(NO_CREDENTIAL)).toBeUndefined();
  });
});
