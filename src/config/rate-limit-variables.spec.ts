import { rateLimit, trustedProxies } from './rate-limit-variables.js';

describe('rate limits in the environment', () => {
  it('may be requests/seconds or off', () => {
    expect(rateLimit.parse('30/60')).toEqual({ points: 30, seconds: 60 });
    expect(rateLimit.parse('off')).toBeNull();
  });

  it.each(['', '30', '30/', '/60', '0/60', '30/0', '30/86401', '-1/60', '3.5/60', '30/60s', '0x10/60'])(
    'may not be %j, and the message names the valid form',
    (text) => {
      expect(() => rateLimit.parse(text)).toThrow('must be off, or requests/seconds such as 30/60');
    },
  );
});

describe('trusted proxies in the environment', () => {
  it('may be off, a number of proxies, or addresses of proxies', () => {
    expect(trustedProxies.parse('off')).toBe(false);
    expect(trustedProxies.parse('2')).toBe(2);
    expect(trustedProxies.parse('10.0.0.0/8, loopback,fd00::/8')).toEqual(['10.0.0.0/8', 'loopback', 'fd00::/8']);
  });

  it.each(['true', '0', '10', 'proxy.example.com', '10.0.0.0/8,', '-1'])('may not be %j', (text) => {
    expect(() => trustedProxies.parse(text)).toThrow('must be off, the number of proxies');
  });
});
