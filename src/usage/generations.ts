import { Injectable } from '@nestjs/common';
import { timeOfId } from '../kernel/ids.js';
import { Sql } from '../database/sql.js';
import type { GenerationDetail } from './generation-detail.js';

/** One recorded call with its label texts. Money in nano-dollars, times in milliseconds. */
export interface Generation {
  readonly id: string;
  readonly created_at: Date;
  readonly cost: bigint;
  readonly upstream_cost: bigint;
  readonly account_no: number;
  readonly key_no: number;
  readonly workspace_no: number;
  readonly model: string;
  readonly provider: string;
  readonly external_user: string | null;
  readonly app: string | null;
  readonly origin: string | null;
  readonly finish_reason: string | null;
  readonly tokens_prompt: number;
  readonly tokens_completion: number;
  readonly tokens_reasoning: number;
  readonly tokens_cached: number;
  readonly characters: number;
  readonly latency_ms: number;
  readonly duration_ms: number;
  readonly status: number;
  readonly images: number;
  readonly modality: number;
  readonly is_byok: boolean;
  readonly streamed: boolean;
  /** Null if no detail was recorded. */
  readonly detail: GenerationDetail | null;
}

/** `cache_discount` is text, because a JSON number cannot represent every amount exactly. */
const DETAIL = `case when d.id is not null
           then (to_jsonb(d) - '{id,created_at,account_no}'::text[])
             || jsonb_build_object('cache_discount', d.cache_discount::text)
         end`;

/** Reads recorded calls. */
@Injectable()
export class Generations {
  constructor(private readonly sql: Sql) {}

  /** The id contains the time, so only one partition is read. */
  async find(id: string, accountNo: number): Promise<Generation | undefined> {
    const [row] = await this.sql.query<Generation>(
      `select g.id, g.created_at, g.cost, coalesce(g.upstream_cost, g.cost) as upstream_cost,
         g.account_no, g.key_no, g.workspace_no, m.value as model, p.value as provider, e.value as external_user,
         a.value as app, o.value as origin, f.value as finish_reason,
         g.tokens_prompt::float8 as tokens_prompt, g.tokens_completion::float8 as tokens_completion,
         coalesce(g.tokens_reasoning, 0)::float8 as tokens_reasoning,
         coalesce(g.tokens_cached, 0)::float8 as tokens_cached, coalesce(g.characters, 0) as characters,
         g.latency_ms, g.duration_ms, g.status, coalesce(g.images, 0) as images, g.modality, g.is_byok, g.streamed,
         ${DETAIL} as detail
       from generation g
         left join usage_label m on m.id = g.model
         left join usage_label p on p.id = g.provider
         left join usage_label e on e.id = g.external_user
         left join usage_label a on a.id = g.app
         left join usage_label o on o.id = g.origin
         left join usage_label f on f.id = g.finish_reason
         left join generation_detail d on d.account_no = g.account_no and d.id = g.id and d.created_at = g.created_at
       where g.id = $1 and g.created_at = $2 and g.account_no = $3`,
      [id, timeOfId(id), accountNo],
    );
    return row;
  }
}
