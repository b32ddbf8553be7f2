import { Injectable } from '@nestjs/common';
import { Sql } from '../database/sql.js';
import { unavailable, type GatewayError } from '../kernel/errors/errors.js';
import { Semaphore } from '../kernel/scheduling/semaphore.js';

/** Calls of one account from `from` (inclusive) to `to` (exclusive). An absent filter matches every call. */
export interface ActivityQuery {
  readonly accountNo: number;
  readonly from: Date;
  readonly to: Date;
  readonly keyNos?: readonly number[];
  readonly workspaceNos?: readonly number[];
  readonly byWorkspace: boolean;
}

/** The usage of one UTC day, model and provider. Money in nano-dollars, summed exactly. */
export interface ActivityRow {
  /** YYYY-MM-DD. */
  readonly day: string;
  readonly model: string;
  readonly provider: string;
  /** Null unless rows are grouped by workspace. */
  readonly workspace_no: number | null;
  readonly requests: number;
  readonly cost: bigint;
  readonly byok_cost: bigint;
  readonly tokens_prompt: bigint;
  readonly tokens_completion: bigint;
  readonly tokens_reasoning: bigint;
}

/**
 * Longer than the default statement timeout, because reading a month of a busy account takes long. The wait for a lock
 * has a separate timeout.
 */
const READ_TIMEOUT_MS = 30_000;
const LOCK_TIMEOUT_MS = 2_000;
/** Maximum number of concurrent reads. The pool's other connections stay free for the ledger. */
const MAX_READS = 2;

/** Sums recorded calls by day, model and provider. */
@Injectable()
export class Activity {
  readonly #permits = new Semaphore(MAX_READS);

  constructor(private readonly sql: Sql) {}

  /**
   * Returns rows ordered by day, newest first, and then by spend, highest first. Throws unavailable if other reads
   * delay the start for READ_TIMEOUT_MS.
   */
  async of({ accountNo, from, to, keyNos, workspaceNos, byWorkspace }: ActivityQuery): Promise<ActivityRow[]> {
    const values = [accountNo, from, to, keyNos ?? null, workspaceNos ?? null, byWorkspace];
    const waiting = new AbortController();
    const timer = setTimeout(() => waiting.abort(busy()), READ_TIMEOUT_MS);
    try {
      return await this.#permits.run(waiting.signal, () =>
        this.sql.transaction(async (session) => {
          await session.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
          return session.query<ActivityRow>(ACTIVITY, values, { timeoutMs: READ_TIMEOUT_MS });
        }),
      );
    } finally {
      clearTimeout(timer);
    }
  }
}

const ACTIVITY = `
  select to_char(g.created_at at time zone 'UTC', 'YYYY-MM-DD') as day, m.value as model, p.value as provider,
    case when $6 then g.workspace_no end as workspace_no, count(*)::int as requests, sum(g.cost)::bigint as cost,
    coalesce(sum(coalesce(g.upstream_cost, g.cost)) filter (where g.is_byok), 0)::bigint as byok_cost,
    sum(g.tokens_prompt)::bigint as tokens_prompt, sum(g.tokens_completion)::bigint as tokens_completion,
    coalesce(sum(g.tokens_reasoning), 0)::bigint as tokens_reasoning
  from generation g join usage_label m on m.id = g.model join usage_label p on p.id = g.provider
  where g.account_no = $1 and g.created_at >= $2 and g.created_at < $3
    and ($4::int[] is null or g.key_no = any($4)) and ($5::int[] is null or g.workspace_no = any($5))
    and not g.synthetic
  group by 1, 2, 3, 4 order by 1 desc, sum(g.cost) desc, 2, 3, 4`;

const busy = (): GatewayError => unavailable('Too many reports are being read. Try again in a moment.');
