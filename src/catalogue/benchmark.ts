/** Sources of published scores, by the specification's neutral words. */
export const BENCHMARK_SOURCES = ['index-source', 'arena-source'] as const;
export type BenchmarkSource = (typeof BENCHMARK_SOURCES)[number];

export const ARENAS = ['models', 'builders', 'agents'] as const;
export type Arena = (typeof ARENAS)[number];

/** A model's place in the index source; null where no figure is published. */
export interface IndexScore {
  /** The model's canonical slug or id. */
  readonly permaslug: string;
  readonly displayName: string;
  readonly intelligence: number | null;
  readonly coding: number | null;
  readonly agentic: number | null;
}

/** A model's place in one category of one arena; null where no figure is published. */
export interface ArenaScore {
  readonly permaslug: string;
  readonly displayName: string;
  readonly arena: Arena;
  readonly category: string;
  readonly elo: number;
  /** In percent, as the arena publishes it. */
  readonly winRate: number;
  readonly avgGenerationTimeMs: number | null;
  readonly firstPlace: number | null;
  readonly secondPlace: number | null;
  readonly thirdPlace: number | null;
  readonly fourthPlace: number | null;
  readonly total: number | null;
}

/** What one source has published, as of one day. */
export interface BenchmarkSet<Score> {
  /** ISO 8601. */
  readonly asOf: string;
  /** How the source wants to be named. */
  readonly citation: string;
  readonly sourceUrl: string;
  readonly scores: readonly Score[];
}

export interface Benchmarks {
  readonly index: BenchmarkSet<IndexScore> | undefined;
  readonly arena: BenchmarkSet<ArenaScore> | undefined;
}

/** What the filters and orders of the model list use of the scores. */
export interface ModelScores {
  readonly intelligence: number | null;
  readonly coding: number | null;
  readonly agentic: number | null;
  /** The best across arenas and categories. */
  readonly arenaElo: number | null;
}
