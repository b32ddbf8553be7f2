import { readDatabaseAddress, withTarget } from './database-address.js';

describe('the address of a database', () => {
  it.each([
    ['postgres://u:p@h1/db', ['postgres://u:p@h1/db'], undefined],
    ['postgres:///db?host=/run/postgresql', ['postgres:///db?host=/run/postgresql'], undefined],
    ['postgres://h1/db?target_session_attrs=standby', ['postgres://h1/db?target_session_attrs=standby'], 'standby'],
    ['postgres://h1,h2/db', ['postgres://h1/db', 'postgres://h2/db'], 'read-write'],
    [
      'postgresql://u:p%40,@h1:5432,[::1]:5433,h3/db?target_session_attrs=any&sslmode=disable',
      ['h1:5432', '[::1]:5433', 'h3'].map(
        (host) => `postgresql://u:p%40,@${host}/db?target_session_attrs=any&sslmode=disable`,
      ),
      'any',
    ],
  ])('%s lists its hosts and its target, by default read-write for several hosts', (url, urls, target) => {
    expect(readDatabaseAddress(url)).toEqual({ urls, target });
  });

  it.each([
    'mysql://h1/db',
    'postgres://h1:5432,/db',
    'postgres://,h2/db',
    'postgres://h1:70000,h2/db',
    'postgres://h1:5432,h2:x/db',
    'postgres://:5432,h2/db',
    'postgres:///db?host=h1,h2',
    'postgres://h1/db?port=1,2',
  ])('%s is not the address of a database', (url) => {
    expect(readDatabaseAddress(url)).toBeUndefined();
  });

  it.each([
    ['postgres://h1,h2/db', 'postgres://h1,h2/db?target_session_attrs=any'],
    ['postgres://h1,h2/db?sslmode=disable', 'postgres://h1,h2/db?sslmode=disable&target_session_attrs=any'],
    ['postgres://h1,h2/db?target_session_attrs=standby', 'postgres://h1,h2/db?target_session_attrs=standby'],
    ['postgres://h1/db', 'postgres://h1/db'],
  ])('%s gets another default target if it lists several hosts: %s', (url, result) => {
    expect(withTarget(url, 'any')).toBe(result);
  });
});
