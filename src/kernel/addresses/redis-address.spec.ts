import { readRedisAddress } from './redis-address.js';

const NO_CREDENTIALS = { username: undefined, password: undefined };

describe('the address of Redis', () => {
  it.each(['redis://h1', 'rediss://u:p@h1:6380/3', 'redis://[::1]:6379'])('%s is one server', (url) => {
    expect(readRedisAddress(url)).toEqual({ kind: 'server', url });
  });

  it('names Sentinels, the primary that they monitor, its database, and both passwords', () => {
    expect(readRedisAddress('rediss+sentinel://u:p%40@h1,[::1]:26380/my%20primary/2?sentinel_password=s%26')).toEqual({
      kind: 'sentinel',
      hosts: [
        { host: 'h1', port: 26_379 },
        { host: '::1', port: 26_380 },
      ],
      tls: true,
      username: 'u',
      password: 'p@',
      name: 'my primary',
      database: 2,
      sentinelPassword: 's&',
    });
    expect(readRedisAddress('redis+sentinel://h1/mymaster')).toMatchObject({ ...NO_CREDENTIALS, database: 0 });
  });

  it('names nodes of a Cluster', () => {
    expect(readRedisAddress('redis+cluster://:p:q@h1:7000,h2')).toEqual({
      kind: 'cluster',
      hosts: [
        { host: 'h1', port: 7_000 },
        { host: 'h2', port: 6_379 },
      ],
      tls: false,
      username: undefined,
      password: 'p:q',
    });
  });

  it.each([
    'http://h1',
    'redis://h1,h2',
    'redis+sentinel://h1',
    'redis+sentinel://h1/',
    'redis+sentinel://h1/mymaster/x',
    'redis+sentinel://h1/mymaster/0/more',
    'redis+sentinel://h1/mymaster?password=x',
    'redis+sentinel://h1/%zz',
    'redis+sentinel://%zz@h1/mymaster',
    'redis+sentinel://h1,/mymaster',
    'redis+sentinel:///mymaster',
    'redis+cluster://h1:70000',
    'redis+cluster://h1,h2:x',
    'redis+cluster://h1/1',
    'redis+cluster://h1?sentinel_password=x',
    'redis+other://h1',
  ])('%s is not the address of Redis', (address) => {
    expect(readRedisAddress(address)).toBeUndefined();
  });
});
