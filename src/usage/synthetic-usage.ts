import { Injectable } from '@nestjs/common';
import type { InTransaction } from '../database/session-of.js';
import { Sql } from '../database/sql.js';
import { Clock } from '../kernel/clock.js';
import { invalidRequest } from '../kernel/errors/errors.js';
import { LABEL_KIND, type LabelKind } from './generation-record.js';
import { Partitions } from './partitions.js';
import { UsageEpoch } from './usage-epoch.js';

export interface SyntheticOrder {
  readonly accountNo: number;
  readonly workspaceNos: readonly number[];
  readonly keyNos: readonly number[];
  readonly models: readonly string[];
  readonly rows: number;
  /** The calls are spread over this many days up to now. */
  readonly days: number;
}

const DAY_MS = 86_400_000;
const MAX_ROWS_PER_BATCH = 200_000;
const MAX_END_USERS = 100_000;
const PROVIDERS = ['alpha', 'bravo', 'charlie', 'delta', 'echo', 'foxtrot'];

/**
 * Writes synthetic calls, flagged as such, for benchmarks and demonstrations. They cost no credits and have no ledger
 * entries.
 */
@Injectable()
export class SyntheticUsage {
  constructor(
    private readonly sql: Sql,
    private readonly partitions: Partitions,
    private readonly clock: Clock,
    private readonly epoch: UsageEpoch,
  ) {}

  /**
   * Writes only into an account without calls, so that synthetic calls never mix with real ones. `progress` is called
   * with the rows written so far; `inTransaction` runs in the transaction of the first batch.
   */
  async seed(
    order: SyntheticOrder,
    progress: (rows: number) => void,
    inTransaction?: InTransaction<SyntheticOrder>,
  ): Promise<void> {
    await this.refuseUnlessEmpty(order.accountNo);
    const users = Math.min(MAX_END_USERS, Math.ceil(order.rows / 20));
    const labels = {
      models: await this.#labels('model', order.models),
      providers: await this.#labels('provider', PROVIDERS),
      users: await this.#labels(
        'externalUser',
        Array.from({ length: users }, (_, index) => `synthetic-user-${index}`),
      ),
      apps: await this.#labels('app', ['Synthetic shop', 'Synthetic chat', 'Synthetic desk']),
      origins: await this.#labels('origin', ['https://shop.example', 'https://chat.example']),
      reasons: await this.#labels('finishReason', ['stop', 'length', 'tool_calls']),
    };
    const end = this.clock.now().getTime();
    let written = 0;
    for (let day = 0; day < order.days; day++) {
      const from = end - (order.days - day) * DAY_MS;
      for (const at of [from, from + DAY_MS]) await this.partitions.make(new Date(Math.floor(at / DAY_MS) * DAY_MS));
      const before = written;
      const due = Math.round((order.rows * (day + 1)) / order.days);
      while (written < due) {
        const count = Math.min(MAX_ROWS_PER_BATCH, due - written);
        // Each batch covers its part of the day, because records arrive in time order.
        const sliceFrom = from + ((written - before) / (due - before)) * DAY_MS;
        const sliceMs = (count / (due - before)) * DAY_MS;
        const isFirst = written === 0;
        await this.sql.transaction(async (session) => {
          await session.query(INSERT_CALLS, [
            order.accountNo,
            order.workspaceNos,
            order.keyNos,
            labels.models,
            labels.providers,
            labels.users,
            labels.apps,
            labels.origins,
            labels.reasons,
            Math.floor(sliceFrom),
            count,
            Math.floor(sliceMs),
          ]);
          if (isFirst) await inTransaction?.(order, session);
        });
        written += count;
        progress(written);
      }
    }
    // A new epoch makes the followers copy the records, which is faster than millions of outbox entries.
    await this.epoch.renew();
  }

  async refuseUnlessEmpty(accountNo: number): Promise<void> {
    const [used] = await this.sql.query('select from generation where account_no = $1 limit 1', [accountNo]);
    if (used)
      throw invalidRequest(
        'This account has recorded calls: synthetic calls can be written only into an account without calls',
      );
  }

  async #labels(kind: LabelKind, values: readonly string[]): Promise<number[]> {
    await this.sql.query('insert into usage_label (kind, value) select $1, unnest($2::text[]) on conflict do nothing', [
      LABEL_KIND[kind],
      values,
    ]);
    const rows = await this.sql.query<{ id: number }>(
      'select id from usage_label where kind = $1 and value = any($2) order by id',
      [LABEL_KIND[kind], values],
    );
    return rows.map(({ id }) => id);
  }
}

/**
 * The SQL of a random element of a list. `chance`: a value from 0 to 1. A product of random values selects the first
 * elements more often. The sine in INSERT_CALLS distributes calls unevenly in time.
 */
const pick = (list: string, chance: string): string =>
  `(${list}::int[])[1 + floor(cardinality(${list}::int[]) * ${chance})::int]`;

const INSERT_CALLS = `
  with drawn as (
    select i, random() as a, random() as b, random() as c, random() as d, random() as e, random() as f,
      $10::float8 + $12::float8 * ((i + random()) / $11::int + 0.09 * sin(6.28318 * (i + 0.0) / $11::int)) as at,
      md5(random()::text) as salt
    from generate_series(1, $11::int) i
  ), timed as (
    select *, floor(least(greatest(at, $10::float8), $10::float8 + $12::float8 - 1))::bigint as ms,
      case when f < 0.968 then 200 when f < 0.98 then 502 when f < 0.988 then 429 when f < 0.995 then 400 else 499 end
        as status,
      (1 + floor(cardinality($4::int[]) * a * a))::int as model_place
    from drawn
  ), made as (
    -- A model does one thing.
    select *, (array[3, 3, 1, 3, 2, 3, 4])[1 + model_place % 7] as modality from timed
  ), priced as (
    select *, case when status <> 200 then 0 else floor(exp(11 + 5 * b) * (1 + model_place % 7))::bigint end as price,
      e < 0.12 as byok,
      floor(exp(5.2 + 2.4 * (b + c + d - 1) / 2))::int as latency,
      case when modality in (3, 4) then floor(exp(4 + 5.5 * c))::int else 0 end as prompt
    from made
  )
  insert into generation (id, created_at, cost, upstream_cost, account_no, workspace_no, key_no, model, provider,
    external_user, app, origin, finish_reason, tokens_prompt, tokens_completion, tokens_reasoning, tokens_cached,
    characters, latency_ms, duration_ms, status, images, modality, is_byok, streamed, synthetic)
  select (lpad(to_hex(ms), 12, '0') || '7' || substr(salt, 1, 3) || '8' || substr(salt, 4, 15))::uuid,
    to_timestamp(ms / 1000.0),
    case when byok then 0 else price end,
    case when byok and price > 0 then price end,
    $1::int, ${pick('$2', 'c * c')}, ${pick('$3', 'b * b')}, ($4::int[])[model_place], ${pick('$5', 'c')},
    case when d < 0.8 then ${pick('$6', 'e * e * e')} end,
    case when a < 0.7 then ${pick('$7', 'b')} end,
    case when b < 0.5 then ${pick('$8', 'a')} end,
    case when modality = 3 and status = 200 then ${pick('$9', 'd * d * d')} end,
    prompt,
    case when modality = 3 and status = 200 then floor(exp(3 + 4 * d))::int else 0 end,
    case when modality = 3 and c < 0.2 then nullif(floor(500 * b)::int, 0) end,
    case when e < 0.3 then nullif(floor(prompt * 0.5)::int, 0) end,
    case when modality = 2 then floor(exp(3 + 5 * c))::int end,
    latency, latency + floor(exp(5 + 3 * d))::int, status,
    case when modality = 1 and status = 200 then 1 end,
    modality, byok, a < 0.5, true
  from priced order by ms`;
