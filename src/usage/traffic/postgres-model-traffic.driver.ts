import { Injectable } from '@nestjs/common';
import { Sql, type TransactionOptions } from '../../database/sql.js';
import { ModelTrafficSource, type ModelTraffic } from './model-traffic.port.js';

const WEEK_MS = 7 * 86_400_000;
/** Only the newest calls of the week are read, to bound the cost on a busy service. */
const MAX_CALLS = 500_000;
const TIMEOUT_MS = 20_000;
/**
 * Minimum number of accounts that must name a category, because a single account must not describe a model for other
 * accounts.
 */
const MIN_AGREEING_ACCOUNTS = 3;
/** Added to the timeout of this service, so that the server's statement_timeout ends a statement first. */
const MARGIN_MS = 1_000;

interface Figures extends Omit<ModelTraffic, 'categories'> {
  readonly model: string;
}

interface Categories {
  readonly model: string;
  readonly categories: readonly string[];
}

/** Reads the statistics of the last week's calls from the records. The number of rows and the time are limited. */
@Injectable()
export class PostgresModelTrafficDriver extends ModelTrafficSource {
  constructor(private readonly sql: Sql) {
    super();
  }

  async read(now: Date): Promise<ReadonlyMap<string, ModelTraffic>> {
    const recent = [new Date(now.getTime() - WEEK_MS), now, MAX_CALLS];
    const rows = await this.#within<Figures>(FIGURES, recent);
    const uses = await this.#within<Categories>(CATEGORIES, [...recent, MIN_AGREEING_ACCOUNTS], { byIndex: true });
    const categories = new Map(uses.map((use) => [use.model, use.categories]));
    return new Map(
      rows.map(({ model, ...figures }) => [model, { ...figures, categories: categories.get(model) ?? [] }]),
    );
  }

  #within<Result extends object>(
    statement: string,
    params: readonly unknown[],
    options: TransactionOptions = {},
  ): Promise<Result[]> {
    return this.sql.transaction(
      async (session) => {
        await session.query(`set local statement_timeout = ${TIMEOUT_MS}`);
        return session.query<Result>(statement, params);
      },
      { timeoutMs: TIMEOUT_MS + MARGIN_MS, ...options },
    );
  }
}

/** The index on `created_at` returns the newest calls without sorting. */
const FIGURES = `
  with recent as (
    select model, finish_reason, tokens_prompt, tokens_completion, latency_ms, duration_ms
    from generation where created_at > $1 and created_at <= $2 and status = 200
    order by created_at desc limit $3
  )
  select m.value as model,
    count(*)::float8 as requests,
    sum(r.tokens_prompt::bigint + r.tokens_completion)::float8 as "weeklyTokens",
    percentile_cont(0.5) within group (order by r.tokens_completion * 1000.0 / (r.duration_ms - r.latency_ms))
      filter (where r.tokens_completion > 0 and r.duration_ms > r.latency_ms) as throughput,
    percentile_cont(0.5) within group (order by r.latency_ms) as latency,
    (count(*) filter (where f.value = 'tool_calls'))::float8 / nullif(count(f.value), 0) as "toolSuccessRate"
  from recent r join usage_label m on m.id = r.model left join usage_label f on f.id = r.finish_reason
  group by m.value`;

/** Reads the newest calls that named categories. The categories of a call are a comma-separated list. */
const CATEGORIES = `
  with recent as (
    select account_no, id, created_at, categories from generation_detail
    where created_at > $1 and created_at <= $2 and categories is not null
    order by created_at desc limit $3
  ), agreed as (
    select g.model, lower(trim(part.name)) as category
    from recent r
      join generation g on g.account_no = r.account_no and g.id = r.id and g.created_at = r.created_at
      cross join lateral unnest(string_to_array(r.categories, ',')) as part (name)
    where g.status = 200 and trim(part.name) <> ''
    group by 1, 2
    having count(distinct g.account_no) >= $4
  )
  select m.value as model, array_agg(a.category order by a.category) as categories
  from agreed a join usage_label m on m.id = a.model
  group by m.value`;
