import { PLANS } from './limits.sql.js';

/** Members of a record's detail (GenerationDetail), as columns of `generation_detail`. */
const DETAIL_COLUMNS = {
  cache_discount: 'bigint',
  native_tokens_completion_images: 'bigint',
  num_media_prompt: 'int',
  num_input_audio_prompt: 'int',
  cancelled: 'boolean',
  usage_estimated: 'boolean',
  native_finish_reason: 'text',
  upstream_id: 'text',
  request_id: 'text',
  session_id: 'text',
  user_agent: 'text',
  http_referer: 'text',
  title: 'text',
  categories: 'text',
  service_tier: 'text',
  response_cache_source_id: 'uuid',
  provider_responses: 'jsonb',
  price_lines: 'jsonb',
};
/** `d` as the members of a detail, in the order of INTO_DETAIL. */
export const DETAIL = `d(${Object.entries(DETAIL_COLUMNS)
  .map((column) => column.join(' '))
  .join(', ')})`;
export const INTO_DETAIL = `insert into generation_detail (id, created_at,
              ${Object.keys(DETAIL_COLUMNS).join(', ')})`;

/**
 * Writes the details of a batch whose reservations are still open. To be called before they are closed, under the locks
 * of their balances, and only for a batch that has a detail. Reservations are found one by one, as in ledger_reserve.
 */
export const RECORD_DETAILS = `create or replace function ledger_record_details(p_items json)
returns void language plpgsql ${PLANS} as $$
begin
  ${INTO_DETAIL}
    select v.generation_id, v.created_at, d.*
    from (
        select distinct on (i.r) i.r, i.d from json_to_recordset(p_items) as i(r uuid, g json, d json)
        where i.g is not null and i.d is not null) i
      cross join lateral (select * from reservation v where v.id = i.r and v.state = 'reserved' limit 1) v
      cross join lateral json_to_record(i.d) as ${DETAIL};
end $$`;
