import { Migration } from '@mikro-orm/migrations';

/**
 * What is recorded of text calls beside `generation`, whose rows stay small: partitioned by the same days, and without
 * a row for calls that have no detail.
 */
const GENERATION_DETAIL = `create table generation_detail (
    id uuid not null,
    created_at timestamptz not null,
    cache_discount bigint,
    native_tokens_completion_images bigint,
    num_media_prompt int,
    num_input_audio_prompt int,
    cancelled boolean not null,
    usage_estimated boolean not null,
    native_finish_reason text,
    upstream_id text,
    request_id text,
    session_id text,
    user_agent text,
    http_referer text,
    title text,
    categories text,
    service_tier text,
    provider_responses jsonb
  ) partition by range (created_at)`;

export class Migration0022GenerationDetail extends Migration {
  override up(): void {
    this.addSql(GENERATION_DETAIL);
    this.addSql('create table generation_detail_default partition of generation_detail default');
    this.addSql('create index generation_detail_created_at on generation_detail (created_at)');
    // Has one more parameter, with a default, since version 3 of its family.
    this.addSql('drop function if exists ledger_finish_one(uuid, int, int, boolean, bigint, bigint, json)');
  }
}
