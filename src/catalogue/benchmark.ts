/** Sources of published scores. */
export const BENCHMARK_SOURCES = ['index-source', 'arena-source'] as const;
export type BenchmarkSource = (typeof BENCHMARK_SOURCES)[number];

export const ARENAS = ['models', 'builders', 'agents'] as const;
export type Arena = (typeof ARENAS)[number];

/** A model's scores in the index source; null = not published. */
export interface IndexScore {
  /** The model's canonical slug or id. */
  readonly permaslug: string;
  readonly displayName: string;
  readonly intelligence: number | null;
  readonly coding: number | null;
  readonly agentic: number | null;
}

/** A model's scores in one category of one arena; null = not published. */
export interface ArenaScore {
  readonly permaslug: string;
  readonly displayName: string;
  readonly arena: Arena;
  readonly category: string;
  readonly elo: number;
  /** In percent. */
  readonly winRate: number;
  readonly avgGenerationTimeMs: number | null;
  readonly firstPlace: number | null;
  readonly secondPlace: number | null;
  readonly thirdPlace: number | null;
  readonly fourthPlace: number | null;
  readonly total: number | null;
}

/** The scores of one source as of one day. */
export interface BenchmarkSet<Score> {
  /** ISO 8601. */
  readonly asOf: string;
  /** The citation that the source requires. */
  readonly citation: string;
  readonly sourceUrl: string;
  readonly scores: readonly Score[];
}

export interface Benchmarks {
  readonly index: BenchmarkSet<IndexScore> | undefined;
  readonly arena: BenchmarkSet<ArenaScore> | undefined;
}

/** The scores that the model list filters and sorts by. */
export interface ModelScores {
  readonly intelligence: number | null;
  readonly coding: number | null;
  readonly agentic: number | null;
  /** The best score in all arenas and categories. */
  readonly arenaElo: number | null;
}
