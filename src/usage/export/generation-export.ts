import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { isDatabaseUnavailable } from '../../database/database-faults.js';
import { Sql, type SqlSession } from '../../database/sql.js';
import { Periodic } from '../../kernel/scheduling/periodic.js';
import { MODALITY } from '../generation-record.js';
import { ProviderNames } from '../provider-names.port.js';

/** The type of the events that contain records. */
export const EXPORTED_EVENT = 'generation.completed';
/** A round exports the calls that were recorded since the previous round. */
const EXPORT_EVERY_MS = 2_000;
const PAGE_ROWS = 2_000;
/** Page size while records have contents, which may be 200 KB each. */
const PAGE_ROWS_WITH_CONTENT = 100;
/** Maximum number of records in one event. Without contents, such an event has at most about 100 KB. */
const RECORDS_PER_EVENT = 100;
/**
 * The contents of one event have at most this size plus the size of the contents of one record. Many receivers refuse
 * more than 1 MB.
 */
const MAX_CONTENT_BYTES_PER_EVENT = 400_000;
/** The timeout of a page, which takes longer than other statements. A service that stops waits for the current page. */
const PAGE_TIMEOUT_MS = 10_000;

interface Position {
  readonly seen: string | null;
  readonly target: string | null;
  readonly xid: string;
  readonly seq: string;
  readonly now: string;
}

/** A record in an event: members of GET /generation. A call without details has no `request_id` and `session_id`. */
const RECORD = `jsonb_build_object(
    'id', 'gen-' || g.id, 'created_at', to_char(g.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'model', m.value, 'provider', p.value, 'provider_name', coalesce($8::jsonb ->> p.value, p.value),
    'modality', ($3::text[])[g.modality], 'key_hash', k.hash,
    'workspace_id', k.workspace_id, 'external_user', e.value, 'app', a.value, 'origin', o.value,
    'finish_reason', f.value, 'status', g.status, 'streamed', g.streamed, 'is_byok', g.is_byok,
    'usage', event_usd(g.cost), 'upstream_inference_cost', event_usd(coalesce(g.upstream_cost, g.cost)),
    'tokens_prompt', g.tokens_prompt, 'tokens_completion', g.tokens_completion,
    'tokens_reasoning', g.tokens_reasoning, 'tokens_cached', g.tokens_cached, 'characters', g.characters,
    'images', g.images, 'latency', g.latency_ms, 'generation_time', g.duration_ms,
    'request_id', d.request_id, 'session_id', d.session_id)`;

/**
 * Follows the outbox for webhooks that subscribe to records, and writes the records as events. Each record is written
 * once, because the position moves in the same transaction. Every replica runs this export, but only one replica reads
 * at a time. Contents are moved into the events.
 */
@Injectable()
export class GenerationExport implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger('webhooks');
  readonly #rounds = new Periodic(
    async () => {
      while (await this.step());
    },
    (error) => {
      if (!isDatabaseUnavailable(error))
        this.#log.warn(`Records could not be exported; this is retried: ${error.message}`);
    },
  );

  constructor(
    private readonly sql: Sql,
    private readonly names: ProviderNames,
  ) {}

  onApplicationBootstrap(): void {
    this.#rounds.start(EXPORT_EVERY_MS);
  }

  onModuleDestroy(): Promise<void> {
    return this.#rounds.stop();
  }

  /** Returns whether more records may be waiting. */
  step(): Promise<boolean> {
    return this.sql.transaction((session) => this.#step(session), { byIndex: true });
  }

  async #step(session: SqlSession): Promise<boolean> {
    const [found] = await session.query<{ accounts: number[] | null; active: boolean; contents: boolean }>(
      `select array_agg(distinct account_no) as accounts, (select seen is not null from export_position) as active,
         exists (select from generation_content) as contents
       from webhook where disabled_at is null and $1 = any(events)`,
      [EXPORTED_EVENT],
    );
    if (!found!.accounts && found!.contents) await session.query('delete from generation_content');
    if (!found!.accounts && !found!.active) return false;
    const [position] = await session.query<Position>(
      `select case when pg_snapshot_xmin(seen) <= pg_snapshot_xmax(pg_current_snapshot()) then seen::text end as seen,
         target::text as target, xid::text as xid, seq::text as seq, pg_current_snapshot()::text as now
       from export_position for update skip locked`,
    );
    // Another replica is exporting.
    if (!position) return false;
    const { accounts } = found!;
    if (accounts === null || position.seen === null) {
      await session.query(
        `update export_position set seen = $1::pg_snapshot, target = null, xid = '0', seq = 0,
           read_at = clock_timestamp()
         where $1::pg_snapshot is not null or seen is not null`,
        [accounts && position.now],
      );
      return false;
    }
    const pageRows = found!.contents ? PAGE_ROWS_WITH_CONTENT : PAGE_ROWS;
    return this.#read(session, { ...position, seen: position.seen, pageRows }, accounts);
  }

  async #read(
    session: SqlSession,
    { seen, target, xid, seq, now, pageRows }: Position & { readonly seen: string; readonly pageRows: number },
    accounts: readonly number[],
  ): Promise<boolean> {
    const upTo = target ?? now;
    const [page] = await session.query<{ rows: number; xid: string | null; seq: string | null }>(
      `with due as materialized (
         select o.xid, o.seq, o.generation_id, o.created_at from outbox_call o
         where o.xid >= greatest($5::xid8, pg_snapshot_xmin($1::pg_snapshot))
           and (o.xid, o.seq) > ($5::xid8, $6::bigint)
           and not pg_visible_in_snapshot(o.xid, $1::pg_snapshot)
           and pg_visible_in_snapshot(o.xid, $2::pg_snapshot)
         order by o.xid, o.seq limit $7),
       contents as (
         delete from generation_content c
         using due join generation g on g.id = due.generation_id and g.created_at = due.created_at
         where c.account_no = g.account_no and c.generation_id = g.id
         returning c.account_no, c.generation_id, c.content),
       records as (
         select g.account_no, ${RECORD} || coalesce(c.content, '{}') as record, c.content is not null as holds_content,
           row_number() over w as place,
           coalesce(sum(octet_length(c.content::text)) over w, 0)::bigint as bytes
         from due join generation g on g.id = due.generation_id and g.created_at = due.created_at
           left join api_key k on k.no = g.key_no
           left join usage_label m on m.id = g.model
           left join usage_label p on p.id = g.provider
           left join usage_label e on e.id = g.external_user
           left join usage_label a on a.id = g.app
           left join usage_label o on o.id = g.origin
           left join usage_label f on f.id = g.finish_reason
           left join generation_detail d on d.account_no = g.account_no and d.id = g.id and d.created_at = g.created_at
           left join contents c on c.account_no = g.account_no and c.generation_id = g.id
         where g.account_no = any($4::int[])
         window w as (partition by g.account_no order by due.xid, due.seq)),
       written as (
         insert into event (account_no, type, data, holds_content)
         select account_no, '${EXPORTED_EVENT}', jsonb_build_object('generations', jsonb_agg(record order by place)),
           bool_or(holds_content)
         from records
         group by account_no, (place - 1) / ${RECORDS_PER_EVENT}, bytes / ${MAX_CONTENT_BYTES_PER_EVENT})
       select count(*)::int as rows, (array_agg(xid::text order by due.xid desc, due.seq desc))[1] as xid,
         (array_agg(seq::text order by due.xid desc, due.seq desc))[1] as seq
       from due`,
      [seen, upTo, Object.keys(MODALITY), accounts, xid, seq, pageRows, JSON.stringify(this.names.bySlug())],
      { timeoutMs: PAGE_TIMEOUT_MS },
    );
    const hasMore = page!.rows === pageRows;
    await session.query(
      hasMore
        ? `update export_position set target = $1::pg_snapshot, xid = $2::xid8, seq = $3::bigint,
             read_at = clock_timestamp()`
        : `update export_position set seen = $1::pg_snapshot, target = null, xid = '0', seq = 0,
             read_at = clock_timestamp()`,
      hasMore ? [upTo, page!.xid, page!.seq] : [upTo],
    );
    return hasMore;
  }
}
