import { Config, ConfigError } from './config.js';
import type { Variable } from './schemas.js';
import { VARIABLES } from './variables.js';

describe('the environment', () => {
  it('has defaults for variables that are not set', () => {
    expect(Config.read({}).values).toMatchObject({
      PORT: 3000,
      HOST: '127.0.0.1',
      LOG_LEVEL: 'info',
      BOOTSTRAP_CREDITS_USD: '100',
      DATABASE_URL: undefined,
    });
  });

  it('is refused with the name and the valid form of every bad variable, in one line, without the values', () => {
    const read = (): Config =>
      Config.read({ PORT: 'secretport', LOG_LEVEL: 'secretlevel', BOOTSTRAP_API_KEY: 'tooshort' });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(
      'PORT must be a whole number from 0 to 65535; LOG_LEVEL must be one of error, warn, info, debug, silent; ' +
        'BOOTSTRAP_API_KEY must be a string of at least 32 characters without white space',
    );
    expect(read).not.toThrow(/secretport|secretlevel|tooshort/);
  });

  it.each([
    ['31 characters are refused', 31, false],
    ['32 characters are accepted', 32, true],
  ])('accepts bootstrap keys of at least 32 characters: %s', (_, length, accepted) => {
    const read = (): Config => Config.read({ BOOTSTRAP_MANAGEMENT_KEY: 'k'.repeat(length) });
    if (accepted) expect(read().values.BOOTSTRAP_MANAGEMENT_KEY).toHaveLength(32);
    else expect(read).toThrow(ConfigError);
  });

  const NUMBERS = Object.entries(VARIABLES as Record<string, Variable<unknown>>).flatMap(
    ([name, { schema, default: usual }]) =>
      usual !== undefined && typeof schema.parse(usual) === 'number' ? [name] : [],
  );
  it.each(
    [...NUMBERS, 'USAGE_RETENTION_DAYS'].flatMap((name) =>
      ['-1', '1.5', '1e3', '5s', '0x10', '99999999999999999999', 'NaN'].map((value) => [name, value] as const),
    ),
  )('refuses the number %s=%s, and the message names the variable', (name, value) => {
    expect(() => Config.read({ [name]: value })).toThrow(`${name} must be a whole number from `);
  });

  it.each(
    [
      ['DATABASE_URL', 'postgres', 5432],
      ['DATABASE_DIRECT_URL', 'postgresql', 5432],
      ['REDIS_URL', 'redis', 6379],
      ['CLICKHOUSE_URL', 'https', 8443],
      ['SMTP_URL', 'smtp', 587],
      ['S3_ENDPOINT', 'http', 9000],
      ['PUBLIC_BASE_URL', 'https', 443],
      ['OPENAI_BASE_URL', 'https', 443],
      ['BLACK_FOREST_LABS_BASE_URL', 'http', 80],
    ].flatMap(([name, scheme, port]) =>
      [
        'not a url',
        `${scheme}://host:99999`,
        `${scheme}://host:port`,
        `${scheme}:`,
        `ftp://host:${port}`,
        `host:${port}`,
      ].map((value) => [name as string, value] as const),
    ),
  )('refuses the address %s=%s, and the message names the variable', (name, value) => {
    const slug = /^(.+)_BASE_URL$/.exec(name)?.[1]?.toLowerCase();
    const read = (): unknown => Config.read({ [name]: value }).provider(slug ?? 'openai');
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(`${name} must be a URL that begins with `);
  });

  it.each([
    ['postgres://h1:5432,/db', 'each as host or host:port'],
    ['postgres://h1,h2:70000/db', 'each as host or host:port'],
    ['postgres:///db?host=h1,h2', 'several hosts are separated by commas before the path'],
    ['postgres://h1,h2/db?target_session_attrs=prefer-standby', 'one of read-write, primary, standby, any'],
    ['postgres://h1/db?target_session_attrs=', 'one of read-write, primary, standby, any'],
  ])('refuses the list of hosts %s and names the rule', (value, rule) => {
    expect(() => Config.read({ DATABASE_URL: value })).toThrow(new RegExp(`^DATABASE_URL must be a URL .*${rule}`));
  });

  it('accepts an address with several hosts', () => {
    const url = 'postgres://u:p@h1:5432,h2/db?target_session_attrs=primary';
    expect(Config.read({ DATABASE_URL: url }).values.DATABASE_URL).toBe(url);
  });

  it('treats an empty variable as absent', () => {
    expect(Config.read({ PORT: ' ', DATABASE_URL: '' }).values).toMatchObject({ PORT: 3000, DATABASE_URL: undefined });
  });

  it('refuses a ClickHouse URL with more than the name of a database, and a cluster without a URL', () => {
    const CLICKHOUSE_URL = 'https://user:p%40ss@clickhouse.example.com:8443/gatehouse';
    expect(Config.read({ CLICKHOUSE_URL, CLICKHOUSE_CLUSTER: 'main' }).values).toMatchObject({ CLICKHOUSE_URL });
    expect(() => Config.read({ CLICKHOUSE_CLUSTER: 'main' })).toThrow('CLICKHOUSE_CLUSTER needs CLICKHOUSE_URL');
    expect(() => Config.read({ CLICKHOUSE_URL, CLICKHOUSE_CLUSTER: "a' b" })).toThrow('CLICKHOUSE_CLUSTER must be');
    for (const more of ['/more', '?readonly=0', '#here', '/%zz'])
      expect(() => Config.read({ CLICKHOUSE_URL: CLICKHOUSE_URL + more })).toThrow('CLICKHOUSE_URL must be a URL that');
  });

  it('refuses SMTP_URL without SMTP_FROM and the reverse, and an invalid mail address', () => {
    const SMTP_URL = 'smtp://user:p%40ss@mail.example.com:587';
    const SMTP_FROM = 'Gatehouse <alerts@example.com>';
    expect(Config.read({ SMTP_URL, SMTP_FROM }).values).toMatchObject({ SMTP_URL, SMTP_FROM });
    expect(() => Config.read({ SMTP_URL })).toThrow('belong together');
    expect(() => Config.read({ SMTP_FROM })).toThrow('belong together');
    for (const from of ['alerts', 'a@b, c@d', 'x <a@b', 'a@b\r\nBcc: c@d', 'A\nB <a@b>'])
      expect(() => Config.read({ SMTP_URL, SMTP_FROM: from })).toThrow('SMTP_FROM must be an address such as');
    for (const url of ['smtp://h/path', 'smtp://h?pool=true', 'smtp://u:%zz@h', 'smtp://'])
      expect(() => Config.read({ SMTP_URL: url, SMTP_FROM })).toThrow(
        'SMTP_URL must be a URL that begins with smtp://',
      );
  });

  it('refuses two master keys', () => {
    expect(() => Config.read({ MASTER_KEY: '0'.repeat(64), MASTER_KEY_FILE: '/x' })).toThrow('both set');
  });

  it('finds the credential and the address of a provider by its slug', () => {
    const { apiKey, baseUrl } = Config.read({
      BLACK_FOREST_LABS_API_KEY: 'k1',
      BLACK_FOREST_LABS_BASE_URL: 'http://127.0.0.1:1/v1/',
    }).provider('black-forest-labs');
    expect(apiKey?.reveal()).toBe('k1');
    expect(JSON.stringify({ apiKey })).not.toContain('k1');
    expect(baseUrl).toBe('http://127.0.0.1:1/v1');
  });
});
