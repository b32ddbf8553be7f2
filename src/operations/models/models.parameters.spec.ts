import { aModel, anEndpoint } from '../../../test/support/catalogue/catalogue-builder.js';
import { CatalogueSnapshot } from '../../catalogue/catalogue-snapshot.js';
import { CATEGORIES, SORTS } from '../../catalogue/model-query.js';
import { ModelSearch } from '../../catalogue/model-search.js';
import { MODELS_PARAMETERS, readParameters } from './models.parameters.js';
import { toModelQuery } from './models.query.js';

const NOW = new Date('2026-11-20T00:00:00Z');
const DAY = 86_400;
const secondsAgo = (days: number): number => NOW.getTime() / 1000 - days * DAY;
const scores = (permaslug: string, figure: number): object => ({
  permaslug,
  displayName: permaslug,
  intelligence: figure,
  coding: figure + 1,
  agentic: figure + 2,
});
const arena = (permaslug: string, elo: number): object => ({
  permaslug,
  displayName: permaslug,
  arena: 'models',
  category: 'x',
  elo,
  winRate: 50,
});
const set = { asOf: '2026-01-01', citation: 'x', sourceUrl: 'https://example.com' };

/**
 * Three text models that differ in every property, and one model of each other kind. In the default order: a, b, c,
 * then the others.
 */
const snapshot = new CatalogueSnapshot({
  models: [
    aModel('x/a', {
      created: secondsAgo(1),
      name: 'First',
      contextLength: 1000,
      supportedParameters: ['tools', 'seed'],
      categories: [...CATEGORIES],
      tokenizer: 'GPT',
      family: 'gpt-mini',
      pricing: { prompt: '0.000001', completion: '0.000009', image: '0', request: '0' },
      distillable: true,
      endpoints: [anEndpoint('v1', { providerName: 'Vendor One', zeroDataRetention: true })],
    }),
    aModel('y/b', {
      created: secondsAgo(10),
      name: 'Second',
      contextLength: 3000,
      supportedParameters: ['tools'],
      inputModalities: ['text', 'image', 'file'],
      tokenizer: 'Claude',
      pricing: { prompt: '0.000002', completion: '0.000004', image: '0', request: '0' },
      distillable: false,
      endpoints: [anEndpoint('v2', { regions: ['eu'] })],
    }),
    aModel('y/c', {
      created: secondsAgo(100),
      name: 'Third one',
      contextLength: 2000,
      pricing: { prompt: '0.000001', completion: '0.00001', image: '0', request: '0' },
    }),
    aModel('z/image', { created: secondsAgo(1000), outputModalities: ['image'] }),
    aModel('z/audio', { created: secondsAgo(1000), outputModalities: ['audio'], inputModalities: ['audio'] }),
    aModel('z/embeddings', { created: secondsAgo(1000), outputModalities: ['embeddings'] }),
  ],
  providers: [],
  benchmarks: {
    index: { ...set, scores: [scores('x/a', 20), scores('y/b', 40)] as never },
    arena: { ...set, scores: [arena('x/a', 1300), arena('y/b', 1200), arena('y/b', 1400)] as never },
  },
});
const figures = new Map([
  ['x/a', { requests: 1, weeklyTokens: 300, throughput: 10, latency: 500, toolSuccessRate: 0.5 }],
  ['y/c', { requests: 2, weeklyTokens: 200, throughput: 20, latency: 400, toolSuccessRate: 0.9 }],
]);
const search = new ModelSearch(snapshot, figures);
const listed = (query: string): string =>
  search
    .find(toModelQuery(readParameters(new URLSearchParams(query))), NOW)
    .map(({ id }) => id.slice(2))
    .join(' ');

describe('the parameters of GET /models', () => {
  it.each([
    ['', 'a b c'],
    ['unknown=1', 'a b c'],
    ...CATEGORIES.map((category) => [`category=${category}`, 'a']),
    ['supported_parameters=tools', 'a b'],
    ['supported_parameters=tools,seed', 'a'],
    ['supported_parameters=tools&supported_parameters=seed', 'a'],
    ['supported_parameters=', 'a b c'],
    ['output_modalities=text', 'a b c'],
    ['output_modalities=image', 'image'],
    ['output_modalities=audio', 'audio'],
    ['output_modalities=embeddings', 'embeddings'],
    ['output_modalities=image,audio', 'audio image'],
    ['output_modalities=all', 'a b c audio embeddings image'],
    ['output_modalities=', 'a b c'],
    ['input_modalities=text', 'a b c'],
    ['input_modalities=image', 'b'],
    ['input_modalities=file', 'b'],
    ['input_modalities=audio&output_modalities=all', 'audio'],
    ['sort=newest', 'a b c'],
    ['sort=most-popular', 'c a b'],
    ['sort=top-weekly', 'a c b'],
    ['sort=pricing-low-to-high', 'a c b'],
    ['sort=pricing-high-to-low', 'b c a'],
    ['sort=context-high-to-low', 'b c a'],
    ['sort=throughput-high-to-low', 'c a b'],
    ['sort=latency-low-to-high', 'c a b'],
    ['sort=intelligence-high-to-low', 'b a c'],
    ['sort=coding-high-to-low', 'b a c'],
    ['sort=agentic-high-to-low', 'b a c'],
    ['sort=arena-elo-high-to-low', 'b a c'],
    ['sort=design-arena-elo-high-to-low', 'b a c'],
    ['q=first', 'a'],
    ['q=Y/B', 'b'],
    ['q=one+third', 'c'],
    ['q=', 'a b c'],
    ['context=1001', 'b c'],
    ['context=2000', 'b c'],
    ['context=null', 'a b c'],
    ['min_price=2', 'b'],
    ['max_price=1.0', 'a c'],
    ['max_price=0.9999999999999999999999', ''],
    ['min_price=null&max_price=', 'a b c'],
    ['min_price=0', 'a b c'],
    ['min_output_price=4.1', 'a c'],
    ['max_output_price=4e0', 'b'],
    ['arch=claude', 'b'],
    ['arch=gpt-mini', 'a'],
    ['arch=', 'a b c'],
    ['model_authors=y', 'b c'],
    ['model_authors=X,y', 'a b c'],
    ['providers=v2', 'b'],
    ['providers=Vendor+One,v2', 'a b'],
    ['distillable=true', 'a'],
    ['distillable=false', 'b c'],
    ['zdr=true', 'a'],
    ['region=eu', 'b'],
    ['min_age_days=10', 'b c'],
    ['max_age_days=10', 'a b'],
    ['max_age_days=0', ''],
    ['min_age_days=null&max_age_days=', 'a b c'],
    ['min_intelligence_index=20.5', 'b'],
    ['max_intelligence_index=20.5', 'a'],
    ['min_coding_index=41', 'b'],
    ['max_coding_index=21', 'a'],
    ['min_agentic_index=42', 'b'],
    ['max_agentic_index=22', 'a'],
    ['min_intelligence_index=0', 'a b'],
    ['min_tool_success_rate=0.6', 'c'],
    ['max_tool_success_rate=0.6', 'a'],
    ['min_tool_success_rate=null', 'a b c'],
    ['context=99999999999999999999', ''],
    [`context=${'9'.repeat(400)}`, ''],
    ['min_age_days=99999999999999999999', ''],
    ['max_age_days=99999999999999999999', 'a b c'],
  ])('"%s" lists %s', (query, expected) => {
    expect(listed(query)).toBe(expected);
  });

  it.each([
    ...Object.keys(MODELS_PARAMETERS)
      .filter((name) => /^(min|max)_/.test(name))
      .flatMap((name) => [
        `${name}=-1`,
        `${name}=abc`,
        `${name}=NaN`,
        `${name}=Infinity`,
        `${name}=0x10`,
        `${name}=1&${name}=2`,
      ]),
    ...['category', 'sort', 'distillable', 'zdr', 'region'].flatMap((name) => [
      `${name}=`,
      `${name}=nonsense`,
      `${name}=null`,
      `${name}=TRUE`,
    ]),
    'zdr=false',
    'region=us',
    'sort=newest&sort=newest',
    'output_modalities=text,video',
    'output_modalities=TEXT',
    'input_modalities=video',
    'input_modalities=all',
    'context=0',
    'context=-5',
    'context=1.5',
    'limit=99999999999999999999',
    'min_age_days=1.5',
    'min_tool_success_rate=1.01',
    'max_tool_success_rate=50',
    'limit=0',
    'limit=1001',
    'limit=ten',
    'offset=-1',
    'q=a&q=b',
  ])('"%s" is refused with 400, and the message names the parameter', (query) => {
    const name = query.slice(0, query.indexOf('='));
    expect(() => readParameters(new URLSearchParams(query))).toThrow(
      expect.objectContaining({ kind: 'invalid_request', message: expect.stringMatching(new RegExp(`^${name} `)) }),
    );
  });

  it.each([
    ['', undefined],
    ['use_rss=', false],
    ['use_rss=0', false],
    ['use_rss=false', false],
    ['use_rss=1', true],
    ['use_rss=true', true],
    ['use_rss=yes', true],
  ])('"%s" sets use_rss to %s', (query, expected) => {
    expect(readParameters(new URLSearchParams(query)).use_rss).toBe(expected);
  });

  it('accept the terms of both dialects for every order', () => {
    const { enum: words } = MODELS_PARAMETERS.sort.schema as { enum: string[] };
    expect(words).toEqual(expect.arrayContaining([...SORTS, 'design-arena-elo-high-to-low']));
    for (const word of words) expect(readParameters(new URLSearchParams({ sort: word })).sort).toBeDefined();
  });
});
