import { idFrom, NEW_MODEL, priceText, requestOf, shifted, valuesOf } from './model-values';

describe('the values of a model', () => {
  it.each([
    ['0.000002', 6, '2'],
    ['2', -6, '0.000002'],
    ['0.15', -6, '0.00000015'],
    ['0.00000015', 6, '0.15'],
    ['0', -6, '0'],
    ['0', 6, '0'],
    ['.5', -6, '0.0000005'],
    ['10', 0, '10'],
    ['007.50', 0, '7.5'],
    ['12.345', 1, '123.45'],
    ['1,5', -6, '1,5'],
    ['free', -6, 'free'],
    ['.', -6, '.'],
  ])('can be shifted: %s by %i decimal places is %s', (text, places, moved) => {
    expect(shifted(text, places)).toBe(moved);
  });

  it.each([
    ['llama3.1:8b', 'llama3.1-8b'],
    ['meta-llama/Llama-3.3-70B', 'Llama-3.3-70B'],
    ['.hidden', 'hidden'],
  ])('have an id that is derived from the upstream name: %s becomes %s', (upstream, id) => {
    expect(idFrom(upstream)).toBe(id);
  });

  it('become a request with only the members of the capability, and are restored from the record', () => {
    const values = {
      ...NEW_MODEL,
      id: 'one',
      upstream: 'one',
      context_length: 8_000,
      prices: { prompt: '0.15', image: '0.02' },
    };
    expect(requestOf({ ...values, capability: 'image' })).toEqual({
      capability: 'image',
      upstream: 'one',
      name: null,
      pricing: { image: '0.02' },
    });
    expect(requestOf({ ...values, prices: {} }).pricing).toBeNull();
    const request = requestOf({ ...values, prices: { prompt: '0.15', completion: '0' } });
    expect(request.pricing).toEqual({ prompt: '0.00000015', completion: '0' });
    const record = {
      ...values,
      ...request,
      id: 'ours/one',
      version: 1,
      name: null,
      input_modalities: ['text'],
      supported_parameters: ['tools'],
      updated_at: '',
    };
    expect(valuesOf({ ...record, capability: 'chat', pricing: request.pricing! })).toMatchObject({
      id: 'one',
      prices: { prompt: '0.15', completion: '0' },
    });
  });

  it.each([
    ['chat', { prompt: '0.000001', completion: '0.0000025' }, '$1 / $2.5 per 1M tokens'],
    ['image', { image: '0.02' }, '$0.02 per picture'],
    ['speech', { input_character: '0' }, '$0 per 1M characters'],
    ['transcription', null, 'No price'],
  ] as const)('of the capability %s with the prices %j are shown as %s', (capability, pricing, text) => {
    expect(priceText({ capability, pricing })).toBe(text);
  });
});
