import { Migration } from '@mikro-orm/migrations';

/**
 * Short ways for a batch of one, which is every batch of a service that is not busy: a few statements on rows that are found by their
 * keys, in place of lists that are taken apart and put together. Whatever is unusual is undone and goes the general way, which decides.
 * As every function of the ledger, they lock the account first; its holder waits for nobody on its keys and reservations.
 */
export class Migration0017LedgerSingleCalls extends Migration {
  override up(): void {
    this.addSql(RESERVE_ONE);
    this.addSql(FINISH_ONE);
    for (const name of [
      'ledger_reserve_one(timestamptz, uuid, uuid, int, int, bigint, bigint, timestamptz)',
      'ledger_finish_one(uuid, int, int, boolean, bigint, bigint, json)',
    ]) {
      this.addSql(`alter function ${name} set enable_seqscan = off`);
      this.addSql(`alter function ${name} set plan_cache_mode = force_generic_plan`);
    }
  }
}

/** Whether an amount fits a key's limit in the window that the limit counts in, where that window is the present one. */
const FITS_LIMIT = ['day', 'week', 'month']
  .map((period) => ({
    reset: { day: 'daily', week: 'weekly', month: 'monthly' }[period],
    start: `b.${period}_start = date_trunc('${period}', p_now at time zone 'UTC')::date`,
    suffix: `_${period}`,
  }))
  .concat({ reset: undefined, start: 'true', suffix: '' })
  .map(
    ({ reset, start, suffix }) =>
      `k.limit_reset ${reset ? `= '${reset}'` : 'is null'} and ${start} and p_ka <= k.limit_nano - b.reserved - b.usage${suffix} - case when k.include_byok_in_limit then b.byok_usage${suffix} else 0 end`,
  )
  .join('\n      or ');

const RESERVE_ONE = `create function ledger_reserve_one(p_now timestamptz, p_r uuid, p_g uuid, p_a int, p_k int, p_aa bigint, p_ka bigint, p_d timestamptz)
returns text language plpgsql as $$
declare
  v_was text := set_config('synchronous_commit', 'off', true);
begin
  -- A lost reservation only means that its call is cut: it need not survive a crash of the database.
  update account_balance b set reserved = b.reserved + p_aa
    where b.account_no = p_a and (p_aa = 0 or p_aa <= b.granted - b.spent - b.reserved);
  if found then
    update key_balance b set reserved = b.reserved + p_ka, last_used_at = greatest(b.last_used_at, p_now)
      from api_key k
      where b.key_no = p_k and k.no = p_k and k.deleted_at is null and not k.disabled and (k.expires_at is null or k.expires_at > p_now)
        and (k.limit_nano is null or p_ka = 0
          or ${FITS_LIMIT});
    if found then
      insert into reservation (id, generation_id, account_no, key_no, account_amount, key_amount, created_at, deadline, state)
        values (p_r, p_g, p_a, p_k, p_aa, p_ka, p_now, p_d, 'reserved') on conflict (id) do nothing;
      if found then
        return 'reserved';
      end if;
      update key_balance b set reserved = b.reserved - p_ka where b.key_no = p_k;
    end if;
    update account_balance b set reserved = b.reserved - p_aa where b.account_no = p_a;
  end if;
  return (select outcome from ledger_reserve(p_now, json_build_array(json_build_object('r', p_r, 'g', p_g, 'a', p_a, 'k', p_k, 'aa', p_aa, 'ka', p_ka, 'd', p_d))));
end $$`;

const FINISH_ONE = `create function ledger_finish_one(p_r uuid, p_a int, p_k int, p_s boolean, p_c bigint, p_b bigint, p_g json)
returns text language plpgsql as $$
declare
  v_cost bigint := case when p_s then p_c else 0 end;
  v_byok bigint := case when p_s then p_b else 0 end;
  v_aa bigint; v_ka bigint; v_generation uuid; v_at timestamptz; u ledger_usage;
begin
  if current_setting('synchronous_commit') = 'off' then
    perform set_config('synchronous_commit', 'on', true);
  end if;
  -- Whoever finishes the same reservation at the same moment waits here, and finds it closed in what it reads next.
  perform from account_balance b where b.account_no = p_a for update;
  update reservation v set state = case when p_s then 'settled' else 'released' end
    where v.id = p_r and v.state = 'reserved' and v.account_no = p_a and v.key_no = p_k
    returning v.account_amount, v.key_amount, v.generation_id, v.created_at into v_aa, v_ka, v_generation, v_at;
  if found then
    update key_balance b set reserved = b.reserved - v_ka,
        usage = b.usage + v_cost, usage_day = b.usage_day + v_cost, usage_week = b.usage_week + v_cost, usage_month = b.usage_month + v_cost,
        byok_usage = b.byok_usage + v_byok, byok_usage_day = b.byok_usage_day + v_byok, byok_usage_week = b.byok_usage_week + v_byok,
        byok_usage_month = b.byok_usage_month + v_byok
      where b.key_no = p_k and b.day_start = (v_at at time zone 'UTC')::date;
    if found then
      update account_balance b set reserved = b.reserved - v_aa, spent = b.spent + v_cost where b.account_no = p_a;
      if p_g is not null then
        u := json_populate_record(null::ledger_usage, p_g);
        insert into generation (id, created_at, cost, upstream_cost, account_no, workspace_no, key_no, model, provider, external_user, app, origin,
          finish_reason, tokens_prompt, tokens_completion, tokens_reasoning, tokens_cached, characters, latency_ms, duration_ms, status, images,
          modality, is_byok, streamed, synthetic)
        values (v_generation, v_at, v_cost, u.upstream_cost, p_a, u.workspace_no, p_k, u.model, u.provider, u.external_user, u.app, u.origin,
          u.finish_reason, u.tokens_prompt, u.tokens_completion, u.tokens_reasoning, u.tokens_cached, u.characters, u.latency_ms, u.duration_ms, u.status, u.images,
          u.modality, u.is_byok, u.streamed, false);
        insert into outbox (generation_id, created_at) values (v_generation, v_at);
      end if;
      if v_cost <> 0 then
        insert into ledger_entry (account_no, key_no, kind, amount, generation_id, created_at) values (p_a, p_k, 'generation', -v_cost, v_generation, v_at);
      end if;
      return 'done';
    end if;
    -- Its windows have to roll first.
    update reservation v set state = 'reserved' where v.id = p_r;
  end if;
  return (select outcome from ledger_finish(json_build_array(json_build_object('r', p_r, 'a', p_a, 'k', p_k, 's', p_s, 'c', p_c, 'b', p_b, 'g', p_g))));
end $$`;
