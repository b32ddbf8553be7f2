import { Migration } from '@mikro-orm/migrations';

/** The parameter types of the ledger's functions, besides `ledger_usage`: PostgreSQL reads them faster than JSON. */
const TYPES = [
  `create type ledger_reservation_item as (
    r uuid, g uuid, a int, k int, p int, aa bigint, ka bigint, pa bigint, t timestamptz, x uuid
  )`,
  'create type ledger_finish_item as (r uuid, a int, k int, s boolean, c bigint, b bigint)',
  `create type ledger_free_item as (
    r uuid, a int, k int, p int, t timestamptz, aa bigint, ka bigint, pa bigint
  )`,
  `create type ledger_detail as (
    cache_discount bigint,
    native_tokens_completion_images bigint,
    num_media_prompt int,
    num_input_audio_prompt int,
    cancelled boolean,
    usage_estimated boolean,
    native_finish_reason text,
    upstream_id text,
    request_id text,
    session_id text,
    user_agent text,
    http_referer text,
    title text,
    categories text,
    service_tier text,
    response_cache_source_id uuid,
    provider_responses jsonb,
    price_lines jsonb
  )`,
];

/** Functions that only other functions of the ledger called. The others stay for replicas of older versions. */
const DROPPED = ['ledger_reserve_generally(int, json)', 'ledger_finish_generally(json)', 'ledger_record_details(json)'];

export class Migration0034LedgerItems extends Migration {
  override up(): void {
    for (const type of TYPES) this.addSql(type);
    for (const signature of DROPPED) this.addSql(`drop function if exists ${signature}`);
  }
}
