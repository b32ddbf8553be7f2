import { readFileSync } from 'node:fs';
import { aModel, anEndpoint } from '../../../test/support/catalogue/catalogue-builder.js';
import { Catalogue } from '../catalogue.js';
import { CatalogueSnapshot } from '../catalogue-snapshot.js';
import { nameKey } from './model-name-index.js';
import { refusalOfName } from './published-names.js';

const shipped = new Catalogue().snapshot;
const named = (name: string): string[] => shipped.names.find(name).map(({ id }) => id);
const vendorNames = (name: string, provider: string): (string | undefined)[] =>
  shipped.names.find(name).map((model) => model.endpoints.find((one) => one.provider === provider)?.upstreamModel);

describe('names of the published API', () => {
  it.each([
    ['anthropic/claude-sonnet-4.5', 'anthropic/claude-sonnet-4-5', 'has dots instead of dashes'],
    ['anthropic/claude-sonnet-4.5-20250929', 'anthropic/claude-sonnet-4-5-20250929', 'has a date that is listed'],
    ['minimax/minimax-m2.5', 'minimax/MiniMax-M2.5', 'is in lower case'],
    ['x-ai/grok-4.3', 'xai/grok-4.3', 'has the published author'],
    ['mistralai/devstral-2512', 'mistral/devstral-2512', 'has the published author'],
    ['meta-llama/llama-3.3-70b-instruct', 'meta/llama-3.3-70b-instruct', 'has the published author'],
    ['qwen/qwen3-max', 'alibaba/qwen3-max', 'has the published author'],
    ['z-ai/glm-4.6', 'zhipuai/glm-4.6', 'has the published author'],
    ['z-ai/glm-4-6', 'zhipuai/glm-4.6', 'has dashes instead of dots'],
    ['google/gemini-2.5-pro', 'google/gemini-2.5-pro', 'is the slug'],
    ['qwen/qwen3-coder', 'alibaba/qwen3-coder-480b-a35b-instruct', 'is in the table'],
    ['qwen/qwen3.5-plus-02-15', 'alibaba/qwen3.5-plus', 'is in the table with a date'],
    ['openai/gpt-5-chat', 'openai/gpt-5-chat-latest', 'lacks -latest'],
    ['anthropic/claude-opus-4.7-latest', 'anthropic/claude-opus-4-7', 'has -latest'],
    [
      'anthropic/claude-3.5-haiku-latest',
      'anthropic/claude-3-5-haiku-20241022',
      'has -latest instead of the only date',
    ],
    ['anthropic/claude-3.5-haiku', 'anthropic/claude-3-5-haiku-20241022', 'lacks the only date'],
    ['~anthropic/claude-opus-latest', 'anthropic/claude-opus-4-8', 'is the newest of a family'],
    [
      '~google/gemini-pro-latest',
      'google/gemini-3.1-pro-preview',
      'asks for the newest model of a family with a variant',
    ],
    ['~openai/gpt-latest', 'openai/gpt-5.5', 'is the newest of a family'],
    ['claude-sonnet-4.5', 'anthropic/claude-sonnet-4-5', 'has no author'],
  ])('%s means the model %s, because the name %s', (name, id) => {
    expect(named(name)).toEqual([id]);
    expect(shipped.idOf(name)).toBe(id);
  });

  it.each([
    ['x-ai/grok-4.20', ['xai/grok-4.20-0309-non-reasoning', 'xai/grok-4.20-0309-reasoning']],
    ['mistralai/mistral-large', ['mistral/mistral-large-2411', 'mistral/mistral-large-2512']],
  ])('%s matches two models, so it is ambiguous', (name, ids) => {
    expect(named(name)).toEqual(ids);
    expect(shipped.idOf(name)).toBeUndefined();
  });

  it.each(['openai/gpt-4o:free', 'x-ai/', '/grok', 'openai/gpt-4o-2024', '__proto__', 'a'.repeat(1_000), ''])(
    '%s matches no model',
    (name) => expect(named(name)).toEqual([]),
  );

  it('a name that differs from two models only in dots, dashes and author is ambiguous', () => {
    const endpoints = [anEndpoint('openai')];
    const models = [aModel('xai/m-1.0', { endpoints }), aModel('x-ai/m-1-0', { endpoints })];
    expect(new CatalogueSnapshot({ models, providers: [] }).names.find('XAI/M-1.0')).toHaveLength(2);
  });

  it('a name that matches a callable model does not also match a model that cannot be called', () => {
    const models = [aModel('xai/m-1.0', { endpoints: [anEndpoint('openai')] }), aModel('x-ai/m-1-0'), aModel('x-ai/n')];
    const { names } = new CatalogueSnapshot({ models, providers: [] });
    expect(names.find('x-ai/m-1-0').map(({ id }) => id)).toEqual(['xai/m-1.0']);
    expect(names.find('xai/n').map(({ id }) => id)).toEqual(['x-ai/n']);
  });

  it.each([
    ['openai/gpt-4o-mini-2024-07-18', 'openai', 'gpt-4o-mini-2024-07-18'],
    ['openai/gpt-4o-mini@20240718', 'openai', 'gpt-4o-mini-2024-07-18'],
    ['anthropic/claude-opus-4.7-20260416', 'anthropic', 'claude-opus-4-7-20260416'],
    ['qwen/qwen-plus-2025-07-28', 'alibaba', 'qwen-plus-2025-07-28'],
  ])('%s is sent to %s as %s', (name, provider, upstream) => {
    expect(vendorNames(name, provider)).toEqual([upstream]);
  });

  it('are sent without the date to vendors that have no dated names', () => {
    expect(vendorNames('openai/gpt-4o-mini-2024-07-18', 'azure')).toEqual(['gpt-4o-mini']);
  });

  it('with a date lead to the same endpoints in each call; the endpoints keep their name in the catalogue', () => {
    const find = () => shipped.names.find('anthropic/claude-opus-4.7-20260416')[0]!;
    expect(find()).toBe(find());
    const endpoint = find().endpoints.find(({ provider }) => provider === 'anthropic');
    expect(endpoint).toMatchObject({ listedAs: 'claude-opus-4-7' });
  });

  it('with a date match no model of an author without dated names', () => {
    const { names } = new CatalogueSnapshot({
      models: [aModel('maker/plain', { endpoints: [anEndpoint('openai', { upstreamModel: 'plain' })] })],
      providers: [],
    });
    expect(names.find('maker/plain-20250101')).toEqual([]);
  });
});

describe('the ids of the published listing', () => {
  const { ids } = JSON.parse(
    readFileSync(new URL('../../../test/fixtures/published-model-ids.json', import.meta.url), 'utf8'),
  ) as { readonly ids: readonly string[] };

  it.each(ids)('%s matches one model, or gets the three nearest names', (id) => {
    const models = shipped.names.find(id);
    if (models.length === 1) {
      expect(shipped.find(models[0]!.id)).toBeDefined();
      expect(refusalOfName(nameKey(id))).toBeUndefined();
    } else expect(new Set(shipped.nearest.of(id, 3, () => true)).size).toBe(3);
  });

  it('match one model in 158 cases, and several models in two cases', () => {
    const found = ids.map((id) => shipped.names.find(id).length);
    const count = (fits: (models: number) => boolean): number => found.filter(fits).length;
    expect({ all: ids.length, one: count((n) => n === 1), several: count((n) => n > 1) }).toEqual({
      all: 337,
      one: 158,
      several: 2,
    });
  });
});

describe('the nearest names', () => {
  it.each([
    ['anthropic/claude-opus-4.77', 'anthropic/claude-opus-4-7'],
    ['claude-sonet-4-5', 'anthropic/claude-sonnet-4-5'],
    ['x-ai/grok-4', 'xai/grok-4.3'],
    ['meta-llama/llama-4-maverik', 'meta/llama-4-maverick-17b-instruct'],
  ])('of %s are a list whose first name is %s', (name, nearest) => {
    expect(shipped.nearest.of(name, 3, () => true)[0]).toBe(nearest);
  });

  it('include only models that pass the filter', () => {
    const images = shipped.nearest.of('gpt-image', 3, ({ outputModalities }) => outputModalities.includes('image'));
    expect(images).toHaveLength(3);
    expect(images.every((id) => shipped.find(id)!.outputModalities.includes('image'))).toBe(true);
  });
});
