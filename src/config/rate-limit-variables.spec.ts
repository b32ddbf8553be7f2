import { rateLimit, trustedProxies } from './rate-limit-variables.js';

describe('rate limits in the environment', () => {
  it('reads requests/seconds, and off', () => {
    expect(rateLimit('30/60')).toEqual({ points: 30, seconds: 60 });
    expect(rateLimit('off')).toBeNull();
  });

  it.each(['', '30', '30/', '/60', '0/60', '30/0', '30/86401', '-1/60', '3.5/60', '30/60s', '0x10/60'])(
    'refuses %j and says what it must be',
    (text) => {
      expect(() => rateLimit(text)).toThrow('must be off, or requests/seconds such as 30/60');
    },
  );
});

describe('trusted proxies in the environment', () => {
  it('reads off, a number of proxies, and their addresses', () => {
    expect(trustedProxies('off')).toBe(false);
    expect(trustedProxies('2')).toBe(2);
    expect(trustedProxies('10.0.0.0/8, loopback,fd00::/8')).toEqual(['10.0.0.0/8', 'loopback', 'fd00::/8']);
  });

  it.each(['true', '0', '10', 'proxy.example.com', '10.0.0.0/8,', '-1'])(
    'refuses %j: trusting everybody would let callers name their own address',
    (text) => {
      expect(() => trustedProxies(text)).toThrow('must be off, the number of proxies');
    },
  );
});
