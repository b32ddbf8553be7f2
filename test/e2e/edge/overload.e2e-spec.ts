import { setTimeout as sleep } from 'node:timers/promises';
import { KeyDirectory } from '../../../src/auth/key-directory.js';
import { OverloadRefusals } from '../../../src/http/edge/overload-refusals.js';
import { makeKey } from '../../support/api/api-builders.js';
import { eventually } from '../../support/eventually.js';
import { Overload } from '../../../src/kernel/scheduling/overload.js';
import { startTestService, TEST_API_KEY, type TestService } from '../../support/services/test-service.js';

const MESSAGE = 'The service is overloaded. Try again in a moment.';

describe('a service with more calls than it can serve', () => {
  let service: TestService;
  let isOver = false;
  let mustWait = false;
  /** Functions that start the waiting calls; the test decides when. */
  let waiting: (() => boolean)[] = [];
  /** The number of look-ups of keys. A started call first looks up its key. */
  let lookups = 0;
  beforeAll(async () => {
    service = await startTestService({ env: { CORS_ORIGINS: '*' } });
    const overload = service.app.get(Overload, { strict: false });
    const decide = overload.decide.bind(overload);
    overload.decide = (key) => (isOver ? 'refuse' : mustWait ? 'wait' : decide(key));
    overload.wait = (_key, start) => void waiting.push(start);
    const keys = service.app.get(KeyDirectory, { strict: false });
    const cached = keys.cached.bind(keys);
    keys.cached = (hash) => {
      lookups++;
      return cached(hash);
    };
  });
  afterAll(() => service.stop());
  beforeEach(() => {
    isOver = true;
    mustWait = false;
    waiting = [];
    lookups = 0;
  });

  const post = (path: string, body: Buffer = Buffer.from('{}'), signal?: AbortSignal): Promise<Response> =>
    fetch(`${service.origin}/api/v1${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${TEST_API_KEY}`,
        'content-type': 'application/json',
        origin: 'https://app.example.com',
      },
      body,
      ...(signal && { signal }),
    });

  it.each([
    ['/images', { error: { code: 503, message: MESSAGE } }],
    ['/chat/completions', { error: { code: 503, message: MESSAGE, metadata: { error_type: 'provider_unavailable' } } }],
    [
      '/messages',
      {
        type: 'error',
        error: { type: 'api_error', message: MESSAGE, code: 503, error_type: 'provider_unavailable' },
        request_id: null,
      },
    ],
  ])('refuses a call of %s with 503 and Retry-After, in the error form of this route', async (path, body) => {
    const response = await post(path);
    expect([response.status, await response.json()]).toEqual([503, body]);
    expect(response.headers.get('retry-after')).toBe('1');
    expect(response.headers.get('x-request-id')).toEqual(expect.any(String));
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
  });

  it.each(['/chat/completions?beta=true', '/chat/completions/', '/CHAT/completions', '/chat/completions/?beta=true'])(
    'refuses a call of %s, a spelling that Express also routes',
    async (path) => {
      expect((await post(path)).status).toBe(503);
    },
  );

  it('keeps the connection of a refused call with a small body, and closes it after a large body', async () => {
    expect((await post('/images')).headers.get('connection')).toBe('keep-alive');
    expect((await post('/images', Buffer.alloc(1_000_000, ' '))).headers.get('connection')).toBe('close');
  });

  it.each(['', '?beta=true', '/'])('serves a call of /chat/completions%s without an overload', async (end) => {
    isOver = false;
    expect((await post(`/chat/completions${end}`)).status).toBe(400);
  });

  it('answers requests that call no model, and serves calls again after the overload', async () => {
    expect((await service.management.get('/keys')).status).toBe(200);
    isOver = false;
    expect((await post('/images')).status).toBe(400);
  });

  it('treats a key as known only after a request with its secret', async () => {
    const { key } = await makeKey(service.management);
    const { isKnown } = service.app.get(OverloadRefusals, { strict: false });
    expect(isKnown(key)).toBe(false);
    await service.as(key).get('/key');
    expect([isKnown(key), isKnown('sk-invented'), isKnown('')]).toEqual([true, false, false]);
  });

  describe('with a call that waits', () => {
    const CALL = Buffer.from(
      JSON.stringify({ model: 'builtin/eliza', messages: [{ role: 'user', content: 'Hello' }] }),
    );
    beforeEach(() => {
      isOver = false;
      mustWait = true;
    });

    it('serves the call when its wait ends', async () => {
      const response = post('/chat/completions', CALL);
      await eventually(() => Promise.resolve(expect(waiting).toHaveLength(1)));
      expect(lookups).toBe(0);
      waiting[0]!();
      expect((await response).status).toBe(200);
      expect(lookups).toBe(1);
    });

    it('does not start the call if its caller has left', async () => {
      const controller = new AbortController();
      const response = post('/chat/completions', CALL, controller.signal);
      await eventually(() => Promise.resolve(expect(waiting).toHaveLength(1)));
      controller.abort();
      await expect(response).rejects.toThrow();
      // When the service responds to a later request, it has read the end of the connection.
      for (let request = 0; request < 10; request++) await service.management.get('/keys');
      lookups = 0;
      waiting[0]!();
      await sleep(100);
      expect(lookups).toBe(0);
    });
  });
});
