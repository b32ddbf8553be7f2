import fc from 'fast-check';
import { aModel, anEndpoint } from '../catalogue-builder.js';
import type { CatalogueModel } from '../../../../src/catalogue/catalogue-model.js';
import { CatalogueSnapshot } from '../../../../src/catalogue/catalogue-snapshot.js';
import { CATEGORIES } from '../../../../src/catalogue/model-query.js';
import type { Known } from './naive-search.js';

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
      pricing: fc.oneof(
        fc.record({
          prompt: pick(...PRICES),
          completion: pick(...PRICES),
          image: pick('0'),
          request: pick('0'),
        }),
        fc.record({
          prompt: pick('0'),
          completion: pick('0'),
          image: pick('0'),
          request: pick('0'),
          inputCharacter: pick(...PRICES),
        }),
      ),
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

export const catalogue: fc.Arbitrary<Known[]> = fc
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

/**
 * A catalogue with these models. Its benchmark sets contain an index row for each model with scores, and an arena row
 * for each model with an Elo score.
 */
export function withScores(all: readonly Known[]): CatalogueSnapshot {
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
