import { z } from 'zod';
import { ARENAS, type ArenaScore, type BenchmarkSet, type BenchmarkSource, type IndexScore } from '../benchmark.js';
import { aCount, aModelId, aNumber, aText, aUrl, listOf, matching, objectOf, oneOf } from '../entries/schema.js';

export const AN_INSTANT = 'a date or time such as 2026-08-28 or 2026-08-28T18:19:35Z';
/** ISO 8601 date or time. */
export const anInstant = matching(
  /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/,
  AN_INSTANT,
).refine((text) => !Number.isNaN(Date.parse(text)), { error: `must be ${AN_INSTANT}` });

const aFigure = aNumber.nullable().default(null);
const aPlace = aCount.nullable().default(null);

const indexMembers = objectOf({
  model_permaslug: aModelId,
  display_name: aText,
  intelligence_index: aFigure,
  coding_index: aFigure,
  agentic_index: aFigure,
});
export const anIndexScore = indexMembers.transform((entry): IndexScore => ({
  permaslug: entry.model_permaslug,
  displayName: entry.display_name,
  intelligence: entry.intelligence_index,
  coding: entry.coding_index,
  agentic: entry.agentic_index,
}));

const arenaMembers = objectOf({
  model_permaslug: aText,
  display_name: aText,
  arena: oneOf(ARENAS),
  category: aText,
  elo: aNumber,
  win_rate: aNumber,
  avg_generation_time_ms: aFigure,
  first_place: aPlace,
  second_place: aPlace,
  third_place: aPlace,
  fourth_place: aPlace,
  total: aPlace,
});
export const anArenaScore = arenaMembers.transform((entry): ArenaScore => ({
  permaslug: entry.model_permaslug,
  displayName: entry.display_name,
  arena: entry.arena,
  category: entry.category,
  elo: entry.elo,
  winRate: entry.win_rate,
  avgGenerationTimeMs: entry.avg_generation_time_ms,
  firstPlace: entry.first_place,
  secondPlace: entry.second_place,
  thirdPlace: entry.third_place,
  fourthPlace: entry.fourth_place,
  total: entry.total,
}));

/** The names of the members of a score, in the order of the CSV columns. */
export const SCORE_MEMBERS: Readonly<Record<BenchmarkSource, readonly string[]>> = {
  'index-source': Object.keys(indexMembers.shape),
  'arena-source': Object.keys(arenaMembers.shape),
};

/** The format of src/catalogue/data/benchmarks. */
const aSet = <Score>(score: z.ZodType<Score>) =>
  objectOf({
    as_of: anInstant,
    citation: aText,
    source_url: aUrl,
    /** The page from which the scores were read, if it is not `source_url`. */
    read_from: aUrl.optional(),
    scores: listOf(score),
  }).transform((set): BenchmarkSet<Score> => ({
    asOf: set.as_of,
    citation: set.citation,
    sourceUrl: set.source_url,
    scores: set.scores,
  }));

export const BENCHMARK_SETS = { index: aSet<IndexScore>(anIndexScore), arena: aSet<ArenaScore>(anArenaScore) };
