import type { GenerationDetail } from '../../../usage/generation-detail.js';

/** Members of a record's detail (GenerationDetail), in the order of the type ledger_detail. */
export const DETAIL_COLUMNS = [
  'cache_discount',
  'native_tokens_completion_images',
  'num_media_prompt',
  'num_input_audio_prompt',
  'cancelled',
  'usage_estimated',
  'native_finish_reason',
  'upstream_id',
  'request_id',
  'session_id',
  'user_agent',
  'http_referer',
  'title',
  'categories',
  'service_tier',
  'response_cache_source_id',
  'provider_responses',
  'price_lines',
] as const satisfies readonly (keyof GenerationDetail)[];

/** SQL for the columns of a detail; `cancelled` is null where there is no detail. */
export const detailOf = (composite: string): string =>
  DETAIL_COLUMNS.map((column) => `${composite}.${column}`).join(', ');
export const INTO_DETAIL = `insert into generation_detail (account_no, id, created_at,
              ${DETAIL_COLUMNS.join(', ')})`;
