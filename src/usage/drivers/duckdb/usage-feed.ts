import type { Sql } from '../../../database/sql.js';
import { timeOfId } from '../../../kernel/ids.js';
import { FED_COLUMNS } from './store-schema.js';
import { FIRST_ID, type Filling, type Following, type Position } from './position.js';

/** A slice of records as lines of CSV, and where it leads. */
export interface FedPage {
  readonly csv: string | null;
  readonly rows: number;
  readonly next: Position;
  /** There is no more for now. */
  readonly isLast: boolean;
}

interface FeedState {
  readonly epoch: string;
  readonly snapshot: string;
  readonly at: number;
  /** Outbox entries of older transactions may be gone. */
  readonly trimmed_to: bigint;
}

const EXPRESSIONS: Partial<Record<keyof typeof FED_COLUMNS, string>> = { created_ms: 'cast(extract(epoch from g.created_at) * 1000 as bigint)', is_byok: 'cast(g.is_byok as int)' };
/** PostgreSQL itself writes the line: taking each row apart in JavaScript would be most of the work. Null becomes nothing. */
const LINE = `concat(${Object.keys(FED_COLUMNS).map((name) => EXPRESSIONS[name as keyof typeof FED_COLUMNS] ?? `g.${name}`).join(`, ',', `)})`;
const PAGE = 50_000;
/** After a gap in the outbox, records are read again from so long before it: longer than a call can run. */
const OVERLAP_MS = 86_400_000;

/** The records and the outbox, in slices. */
export class UsageFeed {
  constructor(private readonly sql: Sql) {}

  /** Where to go on from: the stored position, or a new beginning where it leads nowhere. */
  async resume(position: Position | undefined): Promise<Position> {
    const state = await this.#state();
    if (!position || position.epoch !== state.epoch || isAhead(position.seen, state.snapshot)) return this.#begin(state, FIRST_ID);
    // Entries that this store has not seen were removed from the outbox: the records still have them.
    if (position.mode === 'following' && xminOf(position.seen) < state.trimmed_to) return this.#begin(state, idAt(position.at - OVERLAP_MS));
    return position;
  }

  /** Whether an operator asked for a new store since. */
  async isOutdated(position: Position): Promise<boolean> {
    return (await this.#state()).epoch !== position.epoch;
  }

  next(position: Position): Promise<FedPage> {
    return position.mode === 'filling' ? this.#fill(position) : this.#follow(position);
  }

  #begin(state: FeedState, cursor: string): Filling {
    return { mode: 'filling', epoch: state.epoch, seen: state.snapshot, cursor, at: state.at };
  }

  async #state(): Promise<FeedState> {
    const [state] = await this.sql.query<FeedState>(
      `select epoch, pg_current_snapshot()::text as snapshot, extract(epoch from now())::float8 * 1000 as at, trimmed_to::text::bigint as trimmed_to from usage_feed`,
    );
    return state!;
  }

  async #fill(position: Filling): Promise<FedPage> {
    const [page] = await this.sql.query<{ csv: string | null; rows: bigint }>(
      `select string_agg(line, E'\\n' order by id) as csv, count(*) as rows from (
         select g.id, ${LINE} as line from generation g where g.id > $1 and g.created_at >= $2 order by g.id limit $3) page`,
      [position.cursor, position.cursor === FIRST_ID ? new Date(0) : timeOfId(position.cursor), PAGE],
    );
    const { csv, rows } = page!;
    if (csv === null || rows < PAGE) {
      return { csv, rows: Number(rows), isLast: false, next: { mode: 'following', epoch: position.epoch, seen: position.seen, target: null, xid: '0', seq: '0', at: position.at } };
    }
    const cursor = csv.slice(csv.lastIndexOf('\n') + 1).split(',', 1)[0]!;
    return { csv, rows: Number(rows), isLast: false, next: { ...position, cursor } };
  }

  async #follow(position: Following): Promise<FedPage> {
    const [page] = await this.sql.query<{ csv: string | null; rows: bigint; target: string; at: number; xid: string | null; seq: string | null }>(
      `with bounds as (select coalesce($2::pg_snapshot, pg_current_snapshot()) as target),
       due as materialized (
         select o.xid, o.seq, o.generation_id, o.created_at from outbox o
         where (o.xid, o.seq) > ($3::xid8, $4::bigint) and o.xid >= pg_snapshot_xmin($1::pg_snapshot)
           and not pg_visible_in_snapshot(o.xid, $1::pg_snapshot) and pg_visible_in_snapshot(o.xid, (select target from bounds))
         order by o.xid, o.seq limit $5),
       last as (select xid::text, seq::text from due order by due.xid desc, due.seq desc limit 1)
       select (select string_agg(${LINE}, E'\\n') from due join generation g on g.id = due.generation_id and g.created_at = due.created_at) as csv,
         (select count(*) from due) as rows, (select target::text from bounds) as target, extract(epoch from now())::float8 * 1000 as at,
         (select xid from last) as xid, (select seq from last) as seq`,
      [position.seen, position.target, position.xid, position.seq, PAGE],
    );
    const { csv, rows, target, at, xid, seq } = page!;
    const isLast = rows < PAGE;
    const next: Following = isLast ? { ...position, seen: target, target: null, xid: '0', seq: '0', at } : { ...position, target, xid: xid!, seq: seq! };
    return { csv, rows: Number(rows), isLast, next };
  }
}

const xminOf = (snapshot: string): bigint => BigInt(snapshot.split(':', 1)[0]!);
const xmaxOf = (snapshot: string): bigint => BigInt(snapshot.split(':', 2)[1]!);

/** A snapshot of the future is one of another server: the database was restored elsewhere. */
const isAhead = (seen: string, now: string): boolean => xminOf(seen) > xmaxOf(now);

/** The least id that is made at a moment. */
function idAt(ms: number): string {
  const hex = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
