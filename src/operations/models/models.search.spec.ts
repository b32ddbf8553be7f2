import fc from 'fast-check';
import { aModel, anEndpoint } from '../../../test/support/catalogue-builder.js';
import { LONG_TESTS } from '../../../test/support/long-tests.js';
import type { ModelScores } from '../../catalogue/benchmark.js';
import type { CatalogueModel } from '../../catalogue/catalogue-model.js';
import { CatalogueSnapshot } from '../../catalogue/catalogue-snapshot.js';
import { CATEGORIES, SORTS, type TrafficFigures } from '../../catalogue/model-query.js';
import { ModelSearch } from '../../catalogue/model-search.js';
import { readParameters } from './models.parameters.js';
import { toModelQuery } from './models.query.js';

const RUNS = LONG_TESTS ? 20_000 : 2_000;
const NOW = new Date('2026-11-20T12:00:00Z');
const PRICES = [
  '-1',
  '0',
  '0.0000001',
  '0.00000010',
  '0.00000015',
  '0.0000005',
  '0.000000500000000000001',
  '0.000003',
  '3e-6',
];
const BOUNDS = [
  '',
  'null',
  '0',
  '0.1',
  '.1',
  '0.15',
  '0.5',
  '0.500000000000001',
  '3',
  '3.0',
  '1e1',
  '0.1000000000000000000001',
];

interface Known {
  readonly model: CatalogueModel;
  readonly scores: ModelScores | undefined;
  readonly figures: TrafficFigures | undefined;
}

const pick = <T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
const some = <T>(...values: readonly T[]): fc.Arbitrary<T[]> => fc.subarray([...values]);
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined });
const score = maybe(pick(0, 10, 10.5, 60)).map((value) => value ?? null);

const known: fc.Arbitrary<Omit<Known, 'model'> & { facts: Partial<CatalogueModel>; author: string; slug: string }> =
  fc.record({
    author: pick('acme', 'globex', 'initech'),
    slug: pick('alpha', 'alpha-mini', 'beta', 'gamma-70b', 'delta'),
    facts: fc.record({
      name: pick('Alpha One', 'BETA two', 'Gamma', 'über-Modell'),
      created: pick(1_795_132_800, 1_795_132_800 - 86_400, 1_790_000_000, 1_700_000_000, 1_800_000_000),
      contextLength: pick(0, 4096, 8192, 1_000_000),
      outputModalities: some('text', 'image', 'audio', 'embeddings'),
      inputModalities: some('text', 'image', 'audio', 'file', 'video'),
      supportedParameters: some('tools', 'temperature', 'reasoning', 'seed'),
      categories: maybe(some(...CATEGORIES)),
      distillable: maybe(fc.boolean()),
      tokenizer: pick('GPT', 'Claude', 'Other'),
      family: maybe(pick('gpt-mini', 'claude')),
      pricing: fc.record({
        prompt: pick(...PRICES),
        completion: pick(...PRICES),
        image: pick('0'),
        request: pick('0'),
      }),
      endpoints: fc
        .array(
          fc.record({
            slug: pick('vendor-a', 'vendor-b'),
            name: pick('Vendor A', 'Other House'),
            zdr: maybe(fc.boolean()),
            regions: maybe(some('eu', 'us')),
          }),
          { maxLength: 2 },
        )
        .map((all) =>
          all.map((one) =>
            anEndpoint(one.slug, {
              providerName: one.name,
              ...(one.zdr === undefined ? {} : { zeroDataRetention: one.zdr }),
              ...(one.regions ? { regions: one.regions } : {}),
            }),
          ),
        ),
    }),
    scores: maybe(fc.record({ intelligence: score, coding: score, agentic: score, arenaElo: score })),
    figures: maybe(
      fc.record({
        requests: pick(1, 5, 9),
        weeklyTokens: pick(0, 100, 1000),
        throughput: score,
        latency: score,
        toolSuccessRate: maybe(pick(0, 0.25, 1)).map((value) => value ?? null),
      }),
    ),
  });

const catalogue: fc.Arbitrary<Known[]> = fc
  .uniqueArray(known, { maxLength: 12, selector: ({ author, slug }) => `${author}/${slug}` })
  .map((all) =>
    all.map(({ author, slug, facts, scores, figures }) => ({
      model: aModel(
        `${author}/${slug}`,
        Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== undefined)),
      ),
      scores,
      figures,
    })),
  );

const csv = (...values: readonly string[]): fc.Arbitrary<string> => some(...values).map((items) => items.join(','));
const index = pick('', 'null', '0', '10', '10.5', '61');
const everything = fc.record({
  category: pick(...CATEGORIES),
  supported_parameters: csv('tools', 'temperature', ' seed', 'nothing'),
  output_modalities: csv('text', 'image', 'audio', 'embeddings', 'all'),
  input_modalities: csv('text', 'image', 'audio', 'file'),
  sort: pick(...SORTS, 'design-arena-elo-high-to-low'),
  q: pick('', 'alpha', 'ALPHA', 'a mini', 'acme/', 'über', 'two beta', 'nothing', ' gamma '),
  context: pick('', 'null', '1', '4096', '8193'),
  min_price: pick(...BOUNDS),
  max_price: pick(...BOUNDS),
  min_output_price: pick(...BOUNDS),
  max_output_price: pick(...BOUNDS),
  arch: pick('', 'gpt', 'GPT', 'claude', 'gpt-mini', 'gp'),
  model_authors: csv('acme', 'GLOBEX', 'nobody'),
  providers: csv('vendor-a', 'Other House', 'nobody'),
  distillable: pick('true', 'false'),
  zdr: pick('true'),
  region: pick('eu'),
  min_age_days: pick('', 'null', '0', '1', '60'),
  max_age_days: pick('', 'null', '0', '1', '60', '1200'),
  min_intelligence_index: index,
  max_intelligence_index: index,
  min_coding_index: index,
  max_coding_index: index,
  min_agentic_index: index,
  max_agentic_index: index,
  min_tool_success_rate: pick('', 'null', '0', '0.25', '1'),
  max_tool_success_rate: pick('', 'null', '0', '0.25', '1'),
});
/** A few parameters at a time mostly, since few models pass many; and all of them together too. */
const names = [
  'category',
  'supported_parameters',
  'output_modalities',
  'input_modalities',
  'sort',
  'q',
  'context',
  'min_price',
  'max_price',
  'min_output_price',
  'max_output_price',
  'arch',
  'model_authors',
  'providers',
  'distillable',
  'zdr',
  'region',
  'min_age_days',
  'max_age_days',
  'min_intelligence_index',
  'max_intelligence_index',
  'min_coding_index',
  'max_coding_index',
  'min_agentic_index',
  'max_agentic_index',
  'min_tool_success_rate',
  'max_tool_success_rate',
] as const;
const chosen = fc.oneof(
  { arbitrary: fc.subarray([...names], { maxLength: 5 }), weight: 6 },
  { arbitrary: fc.subarray([...names]), weight: 1 },
);
const query = fc.tuple(everything, chosen, pick('all', 'all', 'own')).map(([all, keys, modalities]) => ({
  // Half of the models give no text, so the default would hide what the other parameters do.
  ...(modalities === 'all' ? { output_modalities: 'all' } : {}),
  ...Object.fromEntries(keys.map((key) => [key, all[key]])),
}));
type Query = { readonly [name: string]: string | undefined };

/** Decimal text × 10⁴⁰ as an integer, by another way than the engine's. */
function scaled(text: string, extra = 0): bigint {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return BigInt(`${whole}${fraction}` || '0') * 10n ** BigInt(40 - fraction.length + Number(exponent) + extra);
}

const isSet = (text: string | undefined): text is string => text !== undefined && text !== '' && text !== 'null';
const items = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);

function passes({ model, scores, figures }: Known, asked: Query): boolean {
  const price = (text: string, min: string | undefined, max: string | undefined): boolean => {
    if (!isSet(min) && !isSet(max)) return true;
    if (text === '-1') return false;
    return (!isSet(min) || scaled(text, 6) >= scaled(min)) && (!isSet(max) || scaled(text, 6) <= scaled(max));
  };
  const figure = (value: number | null | undefined, min: string | undefined, max: string | undefined): boolean => {
    if (!isSet(min) && !isSet(max)) return true;
    if (value === null || value === undefined) return false;
    return !(isSet(min) && value < Number(min)) && !(isSet(max) && value > Number(max));
  };
  const outputs = items(asked.output_modalities);
  const wantedOutputs = outputs.length === 0 ? ['text'] : outputs;
  const haystack = [model.name, model.id, model.canonicalSlug].map((text) => text.toLowerCase());
  const age = Math.max(0, Math.floor((NOW.getTime() / 1000 - model.created) / 86_400));
  const anyOf = (wanted: readonly string[], has: readonly string[]): boolean =>
    wanted.length === 0 || wanted.some((item) => has.some((own) => own.toLowerCase() === item.toLowerCase()));
  return (
    (wantedOutputs.includes('all') || anyOf(wantedOutputs, model.outputModalities)) &&
    anyOf(items(asked.input_modalities), model.inputModalities) &&
    (asked.category === undefined || (model.categories ?? []).includes(asked.category)) &&
    items(asked.supported_parameters).every((name) => model.supportedParameters.includes(name)) &&
    (asked.q ?? '')
      .toLowerCase()
      .split(' ')
      .every((word) => haystack.some((text) => text.includes(word))) &&
    (!isSet(asked.context) || model.contextLength >= Number(asked.context)) &&
    price(model.pricing.prompt, asked.min_price, asked.max_price) &&
    price(model.pricing.completion, asked.min_output_price, asked.max_output_price) &&
    (!asked.arch ||
      [model.tokenizer, model.family].some((name) => name?.toLowerCase() === asked.arch!.toLowerCase())) &&
    anyOf(items(asked.model_authors), [model.id.split('/')[0]!]) &&
    anyOf(
      items(asked.providers),
      model.endpoints.flatMap((endpoint) => [endpoint.provider, endpoint.providerName]),
    ) &&
    (asked.distillable !== 'true' || model.distillable === true) &&
    (asked.distillable !== 'false' || model.distillable !== true) &&
    (asked.zdr === undefined || model.endpoints.some((endpoint) => endpoint.zeroDataRetention)) &&
    (asked.region === undefined || model.endpoints.some((endpoint) => endpoint.regions?.includes('eu'))) &&
    figure(age, asked.min_age_days, asked.max_age_days) &&
    figure(scores?.intelligence, asked.min_intelligence_index, asked.max_intelligence_index) &&
    figure(scores?.coding, asked.min_coding_index, asked.max_coding_index) &&
    figure(scores?.agentic, asked.min_agentic_index, asked.max_agentic_index) &&
    figure(figures?.toolSuccessRate, asked.min_tool_success_rate, asked.max_tool_success_rate)
  );
}

/** What a model is placed by, the better the lower; undefined comes last. */
function keyOf({ model, scores, figures }: Known, sort: string | undefined): bigint | number | undefined {
  const down = (value: number | null | undefined): number | undefined =>
    value === null || value === undefined ? undefined : -value;
  const mean =
    model.pricing.prompt === '-1' || model.pricing.completion === '-1'
      ? undefined
      : scaled(model.pricing.prompt) + scaled(model.pricing.completion);
  switch (sort) {
    case 'most-popular':
      return down(figures?.requests);
    case 'top-weekly':
      return down(figures?.weeklyTokens);
    case 'pricing-low-to-high':
      return mean;
    case 'pricing-high-to-low':
      return mean === undefined ? undefined : -mean;
    case 'context-high-to-low':
      return -model.contextLength;
    case 'throughput-high-to-low':
      return down(figures?.throughput);
    case 'latency-low-to-high':
      return figures?.latency ?? undefined;
    case 'intelligence-high-to-low':
      return down(scores?.intelligence);
    case 'coding-high-to-low':
      return down(scores?.coding);
    case 'agentic-high-to-low':
      return down(scores?.agentic);
    case 'arena-elo-high-to-low':
    case 'design-arena-elo-high-to-low':
      return down(scores?.arenaElo);
    default:
      return 0;
  }
}

function naive(all: readonly Known[], asked: Query): string[] {
  const found = all.filter((one) => passes(one, asked));
  found.sort((a, b) => {
    const [left, right] = [keyOf(a, asked.sort), keyOf(b, asked.sort)];
    if (left !== undefined && right === undefined) return -1;
    if (left === undefined && right !== undefined) return 1;
    if (left !== undefined && right !== undefined && left !== right) return left < right ? -1 : 1;
    return b.model.created - a.model.created || (a.model.id < b.model.id ? -1 : 1);
  });
  return found.map(({ model }) => model.id);
}

describe('The filters and orders of GET /models', () => {
  it(`agree with a naive filter over ${RUNS} random combinations of all parameters`, () => {
    let found = 0;
    let narrowed = 0;
    fc.assert(
      fc.property(catalogue, query, (all, asked) => {
        const given = Object.entries(asked).filter((entry): entry is [string, string] => entry[1] !== undefined);
        const snapshot = withScores(all);
        const answer = new ModelSearch(
          snapshot,
          new Map(all.flatMap(({ model, figures }) => (figures ? [[model.id, figures]] : []))),
        ).find(toModelQuery(readParameters(new URLSearchParams(given))), NOW);
        const ids = answer.map((model) => model.id);
        if (ids.length > 0) found++;
        if (ids.length < all.length) narrowed++;
        expect(ids).toEqual(naive(all, asked));
      }),
      { numRuns: RUNS },
    );
    // A comparison of empty lists would prove nothing.
    expect(found).toBeGreaterThan(RUNS / 20);
    expect(narrowed).toBeGreaterThan(RUNS / 20);
  });
});

/** Scores come from benchmark sets; one index and one arena row a model carry them. */
function withScores(all: readonly Known[]): CatalogueSnapshot {
  const set = { asOf: '2026-01-01', citation: 'x', sourceUrl: 'https://example.com' };
  const rows = all.flatMap(({ model, scores }) =>
    scores ? [{ permaslug: model.id, displayName: model.name, scores }] : [],
  );
  const arena = {
    arena: 'models',
    category: 'x',
    winRate: 0,
    avgGenerationTimeMs: null,
    firstPlace: null,
    secondPlace: null,
    thirdPlace: null,
    fourthPlace: null,
    total: null,
  } as const;
  return new CatalogueSnapshot({
    models: all.map(({ model }) => model),
    providers: [],
    benchmarks: {
      index: {
        ...set,
        scores: rows.map(({ scores, ...row }) => ({
          ...row,
          intelligence: scores.intelligence,
          coding: scores.coding,
          agentic: scores.agentic,
        })),
      },
      arena: {
        ...set,
        scores: rows.flatMap(({ scores, ...row }) =>
          scores.arenaElo === null ? [] : [{ ...row, ...arena, elo: scores.arenaElo }],
        ),
      },
    },
  });
}
