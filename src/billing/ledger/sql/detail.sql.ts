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

/**
 * SQL for the columns of a detail; `cancelled` is null if there is no detail. p_tags has the tags of a batch by the ids
 * of its items; null = no call has tags.
 */
export const detailOf = (composite: string, id: string): string =>
  `${DETAIL_COLUMNS.map((column) => `${composite}.${column}`).join(', ')}, case when p_tags is not null then (
        select array_agg(tag.value) from jsonb_array_elements_text(p_tags -> ${id}::text) as tag(value)) end`;
export const INTO_DETAIL = `insert into generation_detail (account_no, id, created_at,
              ${DETAIL_COLUMNS.join(', ')}, tags)`;
