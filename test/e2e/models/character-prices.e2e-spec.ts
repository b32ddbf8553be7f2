import { startTestService, type TestService } from '../../support/services/test-service.js';

const SPEECH = {
  'builtin/flite': '0.000001',
  'openai/tts-1': '0.000015',
  'openai/tts-1-hd': '0.00003',
};
const IDS = Object.keys(SPEECH);

describe('models priced by the character', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  /** The models of `IDS` that a list contains, in the order of the list. */
  const listed = async (query: string): Promise<string[]> =>
    (await service.standard.get(`/models?output_modalities=all&${query}`)).json.data
      .map(({ id }: { id: string }) => id)
      .filter((id: string) => IDS.includes(id));

  it.each(Object.entries(SPEECH))('have a price per character and a prompt price of 0: %s', async (id, price) => {
    const { pricing } = (await service.standard.get(`/model/${id}`)).json.data;
    expect(pricing).toEqual({ prompt: '0', completion: '0', image: '0', request: '0', input_character: price });
    const { endpoints } = (await service.standard.get(`/models/${id}/endpoints`)).json.data;
    expect(endpoints[0].pricing).toEqual({ prompt: '0', completion: '0', input_character: price });
  });

  it('are the only models with input_character in their pricing', async () => {
    const { json } = await service.standard.get('/models?output_modalities=all');
    const others = json.data.filter(
      ({ pricing }: { pricing: Record<string, string> }) =>
        pricing.input_character !== undefined && Number(pricing.prompt) > 0,
    );
    expect(others).toEqual([]);
    const tokens = (await service.standard.get('/model/openai/gpt-4o-mini-tts')).json.data;
    expect(tokens.pricing).not.toHaveProperty('input_character');
  });

  it.each([
    ['max_price=0', []],
    ['max_price=0.999999', []],
    ['max_price=1', ['builtin/flite']],
    ['max_price=14.999999', ['builtin/flite']],
    ['max_price=15', ['openai/tts-1', 'builtin/flite']],
    ['min_price=0.000001', IDS],
    ['min_price=1', IDS],
    ['min_price=1.000001', ['openai/tts-1', 'openai/tts-1-hd']],
    ['min_price=15.000001', ['openai/tts-1-hd']],
    ['min_price=15&max_price=15', ['openai/tts-1']],
    ['min_price=30.000001', []],
    ['max_output_price=0', IDS],
  ])('are filtered by %s as if a character were a token of the prompt', async (query, found) => {
    expect((await listed(query)).toSorted()).toEqual([...found].toSorted());
  });

  it('are sorted by price among the models priced by tokens, after the free models', async () => {
    expect(await listed('sort=pricing-low-to-high')).toEqual(IDS);
    expect(await listed('sort=pricing-high-to-low')).toEqual(IDS.toReversed());
    const { json } = await service.standard.get('/models?output_modalities=all&sort=pricing-low-to-high');
    const prices = json.data.map(({ pricing }: { pricing: Record<string, string> }) =>
      Number(pricing.input_character ?? pricing.prompt),
    );
    expect(prices).toEqual(prices.toSorted((a: number, b: number) => a - b));
  });

  it.each([
    ['/audio/speech', { prompt: 0 }, 404],
    ['/audio/speech', { prompt: '0.999999' }, 404],
    ['/audio/speech', { prompt: 1 }, 200],
    ['/audio/speech', { completion: 0 }, 200],
    ['/images', { image: '0.000099' }, 404],
    ['/images', { image: '0.0001', prompt: 0 }, 200],
  ])(
    'are compared with provider.max_price, like models priced by the picture: POST %s %j',
    async (path, max_price, status) => {
      const request =
        path === '/images'
          ? { model: 'builtin/poster', prompt: 'x', size: '64x64' }
          : { model: 'builtin/flite', voice: 'slt', input: 'Hello' };
      const answer = await service.standard.post(path, { json: { ...request, provider: { max_price } } });
      expect(answer.status).toBe(status);
      if (status === 404) expect(answer.json.error.message).toContain('provider.max_price.');
    },
  );
});
