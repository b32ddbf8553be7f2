import { Injectable } from '@nestjs/common';
import { Sql } from '../database/sql.js';
import { ModelTrafficSource, type ModelTraffic } from './model-traffic.port.js';

const WEEK_MS = 7 * 86_400_000;
/** The newest so many calls of the week are looked at, so that a busy service's refresh stays cheap. */
const MOST_CALLS = 500_000;
const TIMEOUT_MS = 20_000;

interface Row {
  readonly model: string;
  readonly requests: number;
  readonly tokens: number;
  readonly throughput: number | null;
  readonly latency: number | null;
  readonly tool_success: number | null;
}

/** The last week's calls, straight from their records: bounded in rows and in time. */
@Injectable()
export class PostgresModelTrafficDriver extends ModelTrafficSource {
  constructor(private readonly sql: Sql) {
    super();
  }

  async read(now: Date): Promise<ReadonlyMap<string, ModelTraffic>> {
    const rows = await this.sql.transaction(async (session) => {
      await session.query(`set local statement_timeout = ${TIMEOUT_MS}`);
      return session.query<Row>(FIGURES, [new Date(now.getTime() - WEEK_MS), now, MOST_CALLS]);
    });
    return new Map(
      rows.map((row) => [
        row.model,
        {
          requests: row.requests,
          weeklyTokens: row.tokens,
          throughput: row.throughput,
          latency: row.latency,
          toolSuccessRate: row.tool_success,
        },
      ]),
    );
  }
}

/** Ids are made in the order of time and partitions are days, so the newest calls are found without sorting. */
const FIGURES = `
  with recent as (
    select model, finish_reason, tokens_prompt, tokens_completion, latency_ms, duration_ms
    from generation where created_at > $1 and created_at <= $2 and status = 200
    order by id desc limit $3
  )
  select m.value as model,
    count(*)::float8 as requests,
    sum(r.tokens_prompt::bigint + r.tokens_completion)::float8 as tokens,
    percentile_cont(0.5) within group (order by r.tokens_completion * 1000.0 / (r.duration_ms - r.latency_ms))
      filter (where r.tokens_completion > 0 and r.duration_ms > r.latency_ms) as throughput,
    percentile_cont(0.5) within group (order by r.latency_ms) as latency,
    (count(*) filter (where f.value = 'tool_calls'))::float8 / nullif(count(f.value), 0) as tool_success
  from recent r join usage_label m on m.id = r.model left join usage_label f on f.id = r.finish_reason
  group by m.value`;
