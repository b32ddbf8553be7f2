import { startTestService, type TestService } from '../../support/services/test-service.js';

const CHAT = { model: 'nobody/nothing', messages: [{ role: 'user', content: 'Hello' }] };

describe('the typed envelope of errors', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ env: { CHAT_BODY_LIMIT_BYTES: '2048' } });
  });
  afterAll(() => service.stop());

  const errorOf = async (request: object, key?: string) =>
    (await service.as(key).post('/chat/completions', request)).json.error;

  it('is returned if a guard, the body reader or the operation refuses a chat', async () => {
    expect(await errorOf({ json: CHAT })).toMatchObject({ code: 401, metadata: { error_type: 'authentication' } });
    const post = async (request: object) => (await service.standard.post('/chat/completions', request)).json.error;
    expect(await post({ json: { ...CHAT, messages: 7 } })).toMatchObject({
      code: 400,
      metadata: { error_type: 'invalid_request' },
    });
    expect(await post({ json: { ...CHAT, more: 'x'.repeat(3_000) } })).toMatchObject({
      code: 413,
      metadata: { error_type: 'payload_too_large' },
    });
    expect(await post({ json: CHAT })).toMatchObject({
      code: 404,
      metadata: { error_type: 'not_found', availability: { code: 'model_not_found', retryable: false } },
    });
  });

  it('is not returned by /audio/speech', async () => {
    const { json } = await service.standard.post('/audio/speech', {
      json: { model: 'nobody/nothing', input: 'Hello', voice: 'alloy' },
    });
    expect(json).toEqual({ error: { code: 404, message: expect.any(String) } });
  });
});
