import { Overload } from '../../../src/kernel/scheduling/overload.js';
import { startTestService, TEST_API_KEY, type TestService } from '../../support/services/test-service.js';

const MESSAGE = 'The service is overloaded. Try again in a moment.';

describe('a service with more calls than it can serve', () => {
  let service: TestService;
  let isOver = false;
  beforeAll(async () => {
    service = await startTestService({ env: { CORS_ORIGINS: '*' } });
    const overload = service.app.get(Overload, { strict: false });
    const decide = overload.decide.bind(overload);
    overload.decide = (key) => (isOver ? 'refuse' : decide(key));
  });
  afterAll(() => service.stop());
  beforeEach(() => {
    isOver = true;
  });

  const post = (path: string, body: Buffer = Buffer.from('{}')): Promise<Response> =>
    fetch(`${service.origin}/api/v1${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${TEST_API_KEY}`,
        'content-type': 'application/json',
        origin: 'https://app.example.com',
      },
      body,
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
  ])('refuses a call of %s in the form of its errors, with Retry-After', async (path, body) => {
    const response = await post(path);
    expect([response.status, await response.json()]).toEqual([503, body]);
    expect(response.headers.get('retry-after')).toBe('1');
    expect(response.headers.get('x-request-id')).toEqual(expect.any(String));
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('keeps the connection of a small body, and closes the connection of a large one', async () => {
    expect((await post('/images')).headers.get('connection')).toBe('keep-alive');
    expect((await post('/images', Buffer.alloc(1_000_000, ' '))).headers.get('connection')).toBe('close');
  });

  it('answers everything else, and calls again when it can', async () => {
    expect((await service.management.get('/keys')).status).toBe(200);
    isOver = false;
    expect((await post('/images')).status).toBe(400);
  });
});
