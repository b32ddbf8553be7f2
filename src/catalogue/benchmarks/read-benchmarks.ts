import { ARENAS, type ArenaScore, type BenchmarkSet, type IndexScore } from '../benchmark.js';
import { EntryFault } from '../entries/entry-fault.js';
import { aModelId, aUrl } from '../entries/read-entry.js';
import { aCount, aNumber, aText, listOf, matching, oneOf, shapeOf, type Reader } from '../entries/shape.js';

const AN_INSTANT = 'a date or time such as 2026-08-28 or 2026-08-28T18:19:35Z';
const written = matching(/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/, AN_INSTANT);

/** ISO 8601 date or time. */
export const anInstant: Reader<string> = (value, path) => {
  const text = written(value, path);
  if (Number.isNaN(Date.parse(text))) throw new EntryFault(path, `must be ${AN_INSTANT}`);
  return text;
};

const orNull =
  <T>(reader: Reader<T>): Reader<T | null> =>
  (value, path) =>
    value === null ? null : reader(value, path);
const aFigure = orNull(aNumber);
const aPlace = orNull(aCount);

interface IndexEntry {
  readonly model_permaslug: string;
  readonly display_name: string;
  readonly intelligence_index?: number | null;
  readonly coding_index?: number | null;
  readonly agentic_index?: number | null;
}

interface ArenaEntry {
  readonly model_permaslug: string;
  readonly display_name: string;
  readonly arena: ArenaScore['arena'];
  readonly category: string;
  readonly elo: number;
  readonly win_rate: number;
  readonly avg_generation_time_ms?: number | null;
  readonly first_place?: number | null;
  readonly second_place?: number | null;
  readonly third_place?: number | null;
  readonly fourth_place?: number | null;
  readonly total?: number | null;
}

const anIndexEntry = shapeOf<IndexEntry>(
  {
    model_permaslug: aModelId,
    display_name: aText,
    intelligence_index: aFigure,
    coding_index: aFigure,
    agentic_index: aFigure,
  },
  ['model_permaslug', 'display_name'],
);
const anArenaEntry = shapeOf<ArenaEntry>(
  {
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
  },
  ['model_permaslug', 'display_name', 'arena', 'category', 'elo', 'win_rate'],
);

export const anIndexScore: Reader<IndexScore> = (value, path) => {
  const {
    model_permaslug,
    display_name,
    intelligence_index = null,
    coding_index = null,
    agentic_index = null,
  } = anIndexEntry(value, path);
  return {
    permaslug: model_permaslug,
    displayName: display_name,
    intelligence: intelligence_index,
    coding: coding_index,
    agentic: agentic_index,
  };
};

export const anArenaScore: Reader<ArenaScore> = (value, path) => {
  const entry = anArenaEntry(value, path);
  return {
    permaslug: entry.model_permaslug,
    displayName: entry.display_name,
    arena: entry.arena,
    category: entry.category,
    elo: entry.elo,
    winRate: entry.win_rate,
    avgGenerationTimeMs: entry.avg_generation_time_ms ?? null,
    firstPlace: entry.first_place ?? null,
    secondPlace: entry.second_place ?? null,
    thirdPlace: entry.third_place ?? null,
    fourthPlace: entry.fourth_place ?? null,
    total: entry.total ?? null,
  };
};

interface SetEntry<Score> {
  readonly as_of: string;
  readonly citation: string;
  readonly source_url: string;
  /** Where the scores were read, if not at the source itself. */
  readonly read_from?: string;
  readonly scores: readonly Score[];
}

/** Reads the format of src/catalogue/data/benchmarks. */
export const benchmarkSet = <Score>(score: Reader<Score>): Reader<BenchmarkSet<Score>> => {
  const shape = shapeOf<SetEntry<Score>>(
    { as_of: anInstant, citation: aText, source_url: aUrl, read_from: aUrl, scores: listOf(score) },
    ['as_of', 'citation', 'source_url', 'scores'],
  );
  return (value, path) => {
    const set = shape(value, path);
    return { asOf: set.as_of, citation: set.citation, sourceUrl: set.source_url, scores: set.scores };
  };
};
