import { makeKey } from '../../support/api/api-builders.js';
import { ConsoleBrowser, signedIn } from '../../support/console/console-browser.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';

describe('a console session', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ env: { RATE_LIMIT_SIGN_IN: 'off', INTERN_RUNTIME: 'none' } });
  });
  afterAll(() => service.stop());

  it('has keys that neither the session nor a management key can rotate', async () => {
    const browser = await signedIn(service);
    const rows = await service.sql.query<{ hash: string }>(
      'select hash from api_key where deleted_at is null and console_session_id is not null',
    );
    expect(rows).toHaveLength(2);
    for (const { hash } of rows) {
      for (const { status, json } of [
        await browser.post(`/keys/${hash}/rotate`, {}),
        await browser.post(`/keys/${hash}/rotate`, { grace_seconds: 600 }),
        await service.management.post(`/keys/${hash}/rotate`, {}),
      ]) {
        expect([status, json.error.message]).toEqual([409, expect.stringContaining('only by its console session')]);
        expect(JSON.stringify(json)).not.toMatch(/sk-gh/);
      }
    }
    expect((await browser.get('/key')).status).toBe(200);
  });

  it('ends permanently when the key is disabled, also if a former secret of the key opened the session', async () => {
    const made = await makeKey(service.management);
    const browser = new ConsoleBrowser(service.origin);
    await browser.signIn({ key: made.key });
    const { hash } = (await service.management.post(`/keys/${made.hash}/rotate`, { json: { grace_seconds: 600 } })).json
      .data;
    expect((await browser.get('/key')).status).toBe(200);
    for (const disabled of [true, false]) await service.management.patch(`/keys/${hash}`, { json: { disabled } });
    expect((await service.as(made.key).get('/key')).status).toBe(200);
    expect((await browser.get('/key')).status).toBe(401);
  });

  it('ends when the secret that opened the session is replaced without a grace period', async () => {
    const made = await makeKey(service.management);
    const browser = new ConsoleBrowser(service.origin);
    await browser.signIn({ key: made.key });
    expect((await browser.get('/key')).status).toBe(200);
    await service.management.post(`/keys/${made.hash}/rotate`, {});
    expect((await browser.get('/key')).status).toBe(401);
  });
});
