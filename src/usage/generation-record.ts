import type { GenerationDetail } from './generation-detail.js';

/** Numbers stored for the modality of a generation. */
export const MODALITY = { image: 1, speech: 2, chat: 3, embeddings: 4, transcription: 5, rerank: 6 } as const;
export type Modality = keyof typeof MODALITY;

/** Numbers stored for the kinds of label. */
export const LABEL_KIND = { model: 1, provider: 2, externalUser: 3, app: 4, origin: 5, finishReason: 6 } as const;
export type LabelKind = keyof typeof LABEL_KIND;

/**
 * The usage of one call, written with its settlement and then immutable. Repeated texts (model, provider, end user…)
 * are label numbers (UsageLabels), which keeps rows small.
 */
export interface GenerationRecord {
  /**
   * The amount that the vendor charges, in nano-dollars. For a call with the caller's own credential, the vendor
   * charges the caller. The amount is stored only if it differs from the cost.
   */
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
  /**
   * `tokens_reasoning`, `tokens_cached`, `characters` and `images` are null instead of 0, because null takes no space.
   */
  readonly tokens_reasoning: number | null;
  readonly tokens_cached: number | null;
  readonly characters: number | null;
  /** Time to the first byte of the response, in milliseconds. */
  readonly latency_ms: number;
  readonly duration_ms: number;
  /** The HTTP status of the response. */
  readonly status: number;
  readonly images: number | null;
  readonly modality: number;
  readonly is_byok: boolean;
  readonly streamed: boolean;
  /** Stored in a separate table. */
  readonly detail?: GenerationDetail;
}
