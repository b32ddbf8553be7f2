import type { Decimal } from '../kernel/money.js';

export const CATEGORIES = [
  'programming',
  'roleplay',
  'marketing',
  'marketing/seo',
  'technology',
  'science',
  'translation',
  'legal',
  'finance',
  'health',
  'trivia',
  'academia',
] as const;
export const OUTPUT_MODALITIES = ['text', 'image', 'audio', 'embeddings', 'transcription', 'rerank'] as const;
export const INPUT_MODALITIES = ['text', 'image', 'audio', 'file'] as const;

/** Sort orders of the model list. */
export const SORTS = [
  'most-popular',
  'newest',
  'top-weekly',
  'pricing-low-to-high',
  'pricing-high-to-low',
  'context-high-to-low',
  'throughput-high-to-low',
  'latency-low-to-high',
  'intelligence-high-to-low',
  'coding-high-to-low',
  'agentic-high-to-low',
  'arena-elo-high-to-low',
] as const;
export type Sort = (typeof SORTS)[number];

/** A lower and an upper bound, both inclusive; an absent bound does not limit. */
export interface Bounds<T> {
  readonly min?: T;
  readonly max?: T;
}

/** The filters and the order of GET /models. An absent member does not filter. */
export interface ModelQuery {
  readonly category?: string;
  /** A model must support all of these. */
  readonly supportedParameters?: readonly string[];
  /** A model must have at least one of these. */
  readonly outputModalities?: readonly string[];
  /** A model must have at least one of these. */
  readonly inputModalities?: readonly string[];
  readonly sort?: Sort;
  /** Each word must occur in the name or a slug of the model. */
  readonly q?: string;
  /** The minimum context length in tokens. */
  readonly context?: number;
  /** USD per million tokens. */
  readonly promptPrice?: Bounds<Decimal>;
  /** USD per million tokens. */
  readonly completionPrice?: Bounds<Decimal>;
  readonly arch?: string;
  /** A model must have at least one of these. */
  readonly authors?: readonly string[];
  /** Slugs or names. A model must have at least one of these. */
  readonly providers?: readonly string[];
  readonly distillable?: boolean;
  readonly zeroDataRetention?: boolean;
  readonly region?: string;
  /** Whole days since creation. */
  readonly ageDays?: Bounds<number>;
  readonly intelligence?: Bounds<number>;
  readonly coding?: Bounds<number>;
  readonly agentic?: Bounds<number>;
  /** From 0 to 1. */
  readonly toolSuccessRate?: Bounds<number>;
}

/** Statistics of a model from this service's own traffic; null = no data. */
export interface TrafficFigures {
  /** Successful calls in the last week. */
  readonly requests: number;
  /** Input and output tokens in the last week. */
  readonly weeklyTokens: number;
  /** Median, in tokens per second. */
  readonly throughput: number | null;
  /** Median time until the first byte, in milliseconds. */
  readonly latency: number | null;
  readonly toolSuccessRate: number | null;
  /** Categories that a sufficient number of accounts sent with their calls. */
  readonly categories?: readonly string[];
}
