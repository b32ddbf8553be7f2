import { startTestService, type TestService } from '../../support/services/test-service.js';

const PROVIDER = { slug: 'refused', format: 'chat', base_url: 'https://models.example.com/v1' };
const PRICES = { prompt: '0.000001', completion: '0.000002' };
const MODEL = { upstream: 'assistant-7b', context_length: 8_000, pricing: PRICES };

describe('requests that change own providers', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
    expect((await post({ slug: 'bounds' })).status).toBe(201);
  });
  afterAll(() => service.stop());

  const post = (fields: object) => service.management.post('/providers', { json: { ...PROVIDER, ...fields } });
  const put = (path: string, fields: object = {}) =>
    service.management.put(`/providers/${path}`, { json: { ...MODEL, ...fields } });

  it.each([
    [{ slug: 'openai' }, 409],
    [{ slug: 'own' }, 409],
    [{ slug: 'credentials' }, 409],
    [{ slug: 'Upper' }, 400],
    [{ slug: 'a'.repeat(64) }, 400],
    [{ slug: '' }, 400],
    [{ format: 'telepathy' }, 400],
    [{ base_url: 'ftp://models.example.com' }, 400],
    [{ base_url: 'https://models.example.com/v1?x=1' }, 400],
    [{ base_url: 'https://user:pass@models.example.com/v1' }, 400],
    [{ needs_credential: null }, 400],
    [{ privacy: { policy_url: 'nowhere' } }, 400],
    [{ key: 'sk-0123456789' }, 400],
    [{ base_url: 'http://127.0.0.1:1/v1' }, 400],
    [{ base_url: 'https://10.0.0.1/v1' }, 400],
  ])('with %j are refused with %d', async (fields, status) => {
    expect((await post(fields)).status).toBe(status);
  });

  describe('to set a model', () => {
    const nulls = { name: null, max_completion_tokens: null, pricing: null };
    it.each([
      ['one', { context_length: 0 }, 400],
      ['one', { context_length: 100_000_001 }, 400],
      ['one', { context_length: 100_000_000, ...nulls }, 200],
      ['one', { upstream: '' }, 400],
      ['one', { upstream: 'x'.repeat(256) }, 400],
      ['one', { pricing: { prompt: '0' } }, 400],
      ['one', { pricing: { prompt: '-1', completion: '0' } }, 400],
      ['one', { pricing: { prompt: '1', completion: '0.000000000000000001' } }, 200],
      ['one', { pricing: { prompt: '1.000000000000000001', completion: '0' } }, 400],
      ['one', { pricing: { prompt: 0, completion: 0 } }, 400],
      ['one', { pricing: { ...PRICES, image: '999.5', request: '0.01', web_search: '0' } }, 200],
      ['one', { pricing: { ...PRICES, image: '1000' } }, 400],
      ['one', { pricing: { ...PRICES, anything: '1' } }, 400],
      ['one', { input_modalities: ['Text'] }, 400],
      ['one', { supported_parameters: ['tools', 'tools'] }, 400],
      ['x'.repeat(128), {}, 200],
      ['x'.repeat(129), {}, 400],
      ['a%2Fb', {}, 400],
      ['a:free', {}, 400],
    ])('named %s with %j return %d', async (id, fields, status) => {
      expect((await put(`bounds/models/${id}`, fields)).status).toBe(status);
    });

    it('of a provider that is not an own provider return 404', async () => {
      expect((await put('openai/models/one')).status).toBe(404);
      expect((await put('nobody/models/one')).status).toBe(404);
    });
  });
});
