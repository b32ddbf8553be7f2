import type { GenerationRecord } from '../../../src/usage/generation-record.js';

const TEXT_RECORD: GenerationRecord = {
  upstream_cost: '0',
  workspace_no: 3,
  model: 4,
  provider: 5,
  external_user: null,
  app: null,
  origin: null,
  finish_reason: 6,
  tokens_prompt: 0,
  tokens_completion: 0,
  tokens_reasoning: null,
  tokens_cached: null,
  characters: null,
  latency_ms: 1,
  duration_ms: 2,
  status: 200,
  images: null,
  modality: 3,
  is_byok: false,
  streamed: true,
};

/** The record of a text call. The numbers of its labels exist in no table. */
export const aGenerationRecord = (members: Partial<GenerationRecord> = {}): GenerationRecord => ({
  ...TEXT_RECORD,
  ...members,
});
