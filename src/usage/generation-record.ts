/** Numbers stored for the modality of a generation. */
export const MODALITY = { image: 1, speech: 2, chat: 3, embeddings: 4 } as const;
export type Modality = keyof typeof MODALITY;

/**
 * What one call used, as it is written beside its settlement. Immutable once written. Texts that repeat
 * (model, provider, end user…) are interned as label numbers by UsageLabels, so that a row stays small.
 */
export interface GenerationRecord {
  /** What the vendor charges, in nano-dollars; on own credentials this is the caller's bill there. Kept only where it is not the cost itself. */
  readonly upstream_cost: string;
  readonly workspace_no: number;
  readonly model: number;
  readonly provider: number;
  readonly external_user: number | null;
  readonly app: number | null;
  readonly origin: number | null;
  readonly finish_reason: number | null;
  readonly tokens_prompt: number;
  readonly tokens_completion: number;
  /** This and the next two, and `images`: null instead of 0, which takes no space. */
  readonly tokens_reasoning: number | null;
  readonly tokens_cached: number | null;
  readonly characters: number | null;
  /** Until the first byte of the answer, in milliseconds. */
  readonly latency_ms: number;
  readonly duration_ms: number;
  /** The HTTP status the caller was answered. */
  readonly status: number;
  readonly images: number | null;
  readonly modality: number;
  readonly is_byok: boolean;
  readonly streamed: boolean;
}
