import type { ArenaScore, IndexScore } from '../../catalogue/benchmark.js';
import type { CatalogueSnapshot } from '../../catalogue/catalogue-snapshot.js';
import { toWire, type Dialect } from '../../kernel/dialect.js';
import type { BenchmarksRequest } from './dto/benchmarks.request.dto.js';
import type {
  ArenaBenchmark,
  BenchmarkPricing,
  BenchmarksMeta,
  BenchmarksResponse,
  IndexBenchmark,
} from './dto/benchmarks.response.dto.js';

export type FoundScore =
  | { readonly source: 'index-source'; readonly score: IndexScore }
  | { readonly source: 'arena-source'; readonly score: ArenaScore };

export function toBenchmarksResponse(
  found: readonly FoundScore[],
  request: BenchmarksRequest,
  snapshot: CatalogueSnapshot,
  dialect: Dialect,
): BenchmarksResponse {
  return {
    data: found.map((item) =>
      item.source === 'index-source'
        ? toIndexItem(item.score, snapshot, dialect)
        : toArenaItem(item.score, snapshot, dialect),
    ),
    meta: toMeta(found, request, snapshot, dialect),
  };
}

function toIndexItem(score: IndexScore, snapshot: CatalogueSnapshot, dialect: Dialect): IndexBenchmark {
  return {
    source: toWire('index-source', dialect),
    model_permaslug: score.permaslug,
    display_name: score.displayName,
    intelligence_index: score.intelligence,
    coding_index: score.coding,
    agentic_index: score.agentic,
    pricing: pricingOf(score.permaslug, snapshot),
  };
}

function toArenaItem(score: ArenaScore, snapshot: CatalogueSnapshot, dialect: Dialect): ArenaBenchmark {
  return {
    source: toWire('arena-source', dialect),
    model_permaslug: score.permaslug,
    display_name: score.displayName,
    arena: score.arena,
    category: score.category,
    elo: score.elo,
    win_rate: score.winRate,
    avg_generation_time_ms: score.avgGenerationTimeMs,
    tournament_stats: {
      first_place: score.firstPlace,
      second_place: score.secondPlace,
      third_place: score.thirdPlace,
      fourth_place: score.fourthPlace,
      total: score.total,
    },
    pricing: pricingOf(score.permaslug, snapshot),
  };
}

function pricingOf(permaslug: string, snapshot: CatalogueSnapshot): BenchmarkPricing | null {
  const pricing = snapshot.byPermaslug(permaslug)?.pricing;
  return pricing ? { prompt: pricing.prompt, completion: pricing.completion } : null;
}

/**
 * Citation, source and source URL are null if the request names no source, because the response can then contain
 * several sources (docs/api-rules.md, section 8).
 */
function toMeta(
  found: readonly FoundScore[],
  { source, task_type }: BenchmarksRequest,
  { benchmarks }: CatalogueSnapshot,
  dialect: Dialect,
): BenchmarksMeta {
  const sets = { 'index-source': benchmarks.index, 'arena-source': benchmarks.arena };
  const chosen = source && sets[source];
  const dates = (source ? [chosen] : Object.values(sets)).flatMap((set) => (set ? [set.asOf] : []));
  return {
    as_of: dates.toSorted((a, b) => Date.parse(a) - Date.parse(b)).at(-1) ?? new Date(0).toISOString(),
    model_count: new Set(found.map(({ score }) => score.permaslug)).size,
    version: 'v1',
    citation: chosen?.citation ?? null,
    source: source ? toWire(source, dialect) : null,
    source_url: chosen?.sourceUrl ?? null,
    task_type: task_type ?? null,
  };
}
