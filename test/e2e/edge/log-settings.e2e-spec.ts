import { startTestService, TEST_API_KEY } from '../../support/services/test-service.js';

describe.each([
  ['ACCESS_LOG=off', { ACCESS_LOG: 'off', LOG_LEVEL: 'info' }, 0],
  ['LOG_LEVEL=warn', { LOG_LEVEL: 'warn' }, 0],
  ['LOG_FORMAT=text', { LOG_LEVEL: 'info', LOG_FORMAT: 'text' }, 1],
  ['LOG_LEVEL=debug and LOG_FORMAT=text', { LOG_LEVEL: 'debug', LOG_FORMAT: 'text' }, 2],
])('the log with %s', (_, env, expected) => {
  it(`has ${expected} access lines for a health check and a request with a key`, async () => {
    const written: string[] = [];
    const service = await startTestService({
      env: { LOG_FORMAT: 'json', INTERN_RUNTIME: 'none', ...env },
      logTo: (text) => void written.push(text),
    });
    await fetch(`${service.origin}/healthz`);
    await fetch(`${service.origin}/api/v1/key`, { headers: { authorization: `Bearer ${TEST_API_KEY}` } });
    // The lines are written before the last connection is closed.
    await service.stop();

    const access = written.filter((line) => /"context":"access"|\[access\]/.test(line));
    expect(access).toHaveLength(expected);
    if (expected > 0)
      expect(access.at(-1)).toMatch(
        /^\[\S+Z\] INFO: \[access\] GET \/api\/v1\/key 200 [\d.]+ ms key tes\.\.\.2345 request [0-9a-f-]{36}\n$/,
      );
  }, 60_000);
});
