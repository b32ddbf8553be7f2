import { aModel, anEndpoint } from '../../test/support/catalogue/catalogue-builder.js';
import { AssumedModels } from './assumed-models.js';
import { highestPrices } from './highest-prices.js';
import { familyOf } from './model-families.js';
import type { CatalogueEndpoint, CatalogueModel } from './catalogue-model.js';

const gpt = (name: string, facts: Partial<CatalogueEndpoint>, model: Partial<CatalogueModel> = {}): CatalogueModel =>
  aModel(`openai/${name}`, {
    endpoints: [
      anEndpoint('openai', {
        adapter: 'openai-compatible',
        upstreamModel: name,
        tokenPrices: { prompt: '0.000001', completion: '0.000002' },
        ...facts,
      }),
    ],
    ...model,
  });

describe('a model of a known family', () => {
  it.each([
    ['claude-opus-5-5', 'claude', 'claude-opus-5-5'],
    ['anthropic/claude-opus-5.5', 'claude', 'claude-opus-5-5'],
    ['gpt-6.1-sol', 'gpt', 'gpt-6.1-sol'],
    ['o5-mini', 'o', 'o5-mini'],
    ['x-ai/grok-4', 'grok', 'grok-4'],
    ['mistralai/ministral-8b-2512', 'mistral', 'ministral-8b-2512'],
    ['gemini-4-pro', 'gemini', 'gemini-4-pro'],
    ['deepseek/deepseek-v3.2', 'deepseek', 'deepseek-v3.2'],
  ])('%s belongs to the family %s, and its upstream name is %s', (name, family, upstream) => {
    const named = familyOf(name);
    expect([named?.family.family, named?.upstreamModel]).toEqual([family, upstream]);
  });

  it.each([
    'gpt-oss-20b',
    'gpt-image-2',
    'gpt-6-tts',
    'openai/claude-9',
    'other/gpt-6',
    'gpt-6:free',
    'gpt 6',
    'o',
    '',
  ])('does not have the name %j', (name) => expect(familyOf(name)).toBeUndefined());

  it('has the highest price in each class, and the largest limits', () => {
    const models = new AssumedModels([
      gpt('gpt-2', { tokenPrices: { prompt: '1', completion: '2', cacheRead: '0.5' } }, { contextLength: 10 }),
      gpt('gpt-1', { tokenPrices: { prompt: '3', completion: '1', webSearch: '9' } }, { contextLength: 20 }),
      gpt('gpt-1-priority', { tokenPrices: { prompt: '50', completion: '50' }, serviceTier: 'priority' }),
      gpt('gpt-image-1', { tokenPrices: { prompt: '70', completion: '70' } }),
      gpt('o1', { tokenPrices: { prompt: '90', completion: '90' } }),
    ]);
    const model = models.find('gpt-3')!;
    expect(model).toMatchObject({ id: 'openai/gpt-3', contextLength: 20 });
    expect(model.endpoints).toHaveLength(1);
    const [endpoint] = model.endpoints;
    expect(endpoint).toMatchObject({ upstreamModel: 'gpt-3', listedAs: 'gpt-*', priceAssumed: true });
    expect(endpoint!.tokenPrices).toEqual({ prompt: '3', completion: '2', cacheRead: '0.5' });
    expect(models.find('gpt-3')).toBe(model);
  });

  it('does not exist if no price of the family is known', () => {
    expect(new AssumedModels([gpt('o1', {})]).find('gpt-3')).toBeUndefined();
  });
});

describe('the highest prices', () => {
  it('apply at each prompt length', () => {
    const tiers = [{ minPromptTokens: 100, prompt: '4' }];
    expect(
      highestPrices([
        { prompt: '1', completion: '5', tiers },
        { prompt: '2', completion: '3' },
      ]),
    ).toEqual({ prompt: '2', completion: '5', tiers: [{ minPromptTokens: 100, prompt: '4', completion: '5' }] });
  });

  it('include time-of-day prices as if they applied all day', () => {
    const tiers = [{ utcStart: 0, utcEnd: 100, prompt: '0.5', completion: '9' }];
    expect(highestPrices([{ prompt: '1', completion: '2', tiers }])).toEqual({ prompt: '1', completion: '9' });
  });
});
