import { isHidden, TIMELINE } from '../../database/database-faults.js';
import type { Sql } from '../../database/sql.js';
import { timeOfId } from '../../kernel/ids.js';
import { FIRST_ID, type Filling, type Following, type Mark, type Position } from './position.js';

/** Describes how a record `g` is written as one line of text for a store. */
export interface FedLines {
  /** The SQL expression of a line. */
  readonly line: string;
  /** The joins that the expression needs. */
  readonly joins: string;
  /** The id of the call in a line. */
  readonly idOf: (line: string) => string;
  /** Maximum number of records in a page while existing records are copied. */
  readonly pageRows: number;
}

/** A page of records, and the position after it. */
export interface FedPage {
  /** Null if there are no records. */
  readonly lines: string | null;
  readonly rows: number;
  /** The position from which the same page can be read again, byte for byte, while its entries are in the outbox. */
  readonly again: Position;
  readonly next: Position;
  /** Whether there are no more records at present. */
  readonly isLast: boolean;
}

interface PageRow {
  readonly lines: string | null;
  readonly rows: bigint;
  readonly target: string;
  readonly at: number;
  readonly xid: string | null;
  readonly seq: string | null;
}

interface FeedState {
  readonly history: string;
  readonly snapshot: string;
  readonly at: number;
  /** Entries of transactions with lower numbers may have been removed from the outbox. */
  readonly trimmed_to: bigint;
}

/** The position to resume from, and its origin. */
interface Resumed {
  readonly position: Position;
  /**
   * `gap`: entries that the store has not read were removed from the outbox. `new`: the store's contents are invalid.
   */
  readonly from: 'stored' | 'gap' | 'new';
}

const PAGE_ROWS = 50_000;
/**
 * After a gap in the outbox, records are read again from this long before the gap. The time is longer than a call can
 * run.
 */
const OVERLAP_MS = 86_400_000;

/**
 * After this time, the transactions of a mark are on disk, even if they commit asynchronously (wal_writer_delay is at
 * most 10 s).
 */
const SURE_AFTER_MS = 30_000;

/**
 * The SQL that identifies the records: by the epoch, which the operator can renew, and by the database. A copy of the
 * database assigns transaction ids independently, and so does a database that was restored to an earlier time.
 * Therefore WHOLE_HISTORY also contains the server and its timeline, which some servers hide.
 */
const DATABASE = `(select oid from pg_database where datname = current_database())`;
const HISTORY = `epoch::text || '/' || ${DATABASE}`;
const WHOLE_HISTORY = `${HISTORY} || '/' || (select system_identifier from pg_control_system())
  || '/' || ${TIMELINE}`;

/** Reads the records and the outbox in pages. */
export class UsageFeed {
  #history = WHOLE_HISTORY;

  constructor(
    private readonly sql: Sql,
    private readonly format: FedLines,
  ) {}

  /**
   * Returns the stored position, a position before a gap in the outbox, or a new start if the stored position is
   * invalid.
   */
  async resume(stored: Position | undefined): Promise<Resumed> {
    const state = await this.#state();
    if (stored?.history !== state.history || isAhead(stored.seen, state.snapshot))
      return { position: this.#begin(state, FIRST_ID), from: 'new' };
    if (stored.mode === 'filling') return { position: stored, from: 'stored' };
    const { snapshot, at } = stored.sure ?? stored.nextSure;
    // Entries that this store has not read were removed from the outbox. Their calls are still in the records.
    if (xminOf(snapshot) < state.trimmed_to)
      return { position: this.#begin(state, idAt(at - OVERLAP_MS)), from: 'gap' };
    return {
      position: { ...stored, seen: snapshot, at, target: null, ...FROM_THE_START, nextSure: { snapshot, at } },
      from: 'stored',
    };
  }

  /** Whether the position belongs to another database, or to an earlier epoch. */
  async isOutdated(position: Position): Promise<boolean> {
    return (await this.#state()).history !== position.history;
  }

  next(position: Position): Promise<FedPage> {
    return position.mode === 'filling' ? this.#fill(position) : this.#follow(position);
  }

  #begin({ history, snapshot, at }: FeedState, cursor: string): Filling {
    return { mode: 'filling', history, seen: snapshot, cursor, at };
  }

  async #state(): Promise<FeedState> {
    const read = (): Promise<FeedState[]> =>
      this.sql.query<FeedState>(
        `select ${this.#history} as history, pg_current_snapshot()::text as snapshot,
           extract(epoch from now())::float8 * 1000 as at, trimmed_to::text::bigint as trimmed_to
         from usage_feed`,
      );
    const [state] = await read().catch((error: unknown) => {
      if (!isHidden(error) || this.#history === HISTORY) throw error;
      this.#history = HISTORY;
      return read();
    });
    return state!;
  }

  /**
   * An id begins with the time, so the query also has a condition on the time. The scan of the index on the time then
   * ends at the limit.
   */
  async #fill(position: Filling): Promise<FedPage> {
    const { line, joins, idOf, pageRows } = this.format;
    const [page] = await this.sql.query<{ lines: string | null; rows: bigint }>(
      `select string_agg(line, E'\\n' order by id) as lines, count(*) as rows from (
         select g.id, ${line} as line from generation g ${joins}
         where g.id > $1 and g.created_at >= $2 order by g.created_at, g.id limit $3) page`,
      [position.cursor, position.cursor === FIRST_ID ? new Date(0) : timeOfId(position.cursor), pageRows],
    );
    const { lines, rows } = page!;
    if (lines === null || rows < pageRows) {
      const { history, seen, at } = position;
      return {
        lines,
        rows: Number(rows),
        isLast: false,
        again: position,
        next: {
          mode: 'following',
          history,
          seen,
          target: null,
          ...FROM_THE_START,
          at,
          sure: null,
          nextSure: { snapshot: seen, at },
        },
      };
    }
    const cursor = idOf(lines.slice(lines.lastIndexOf('\n') + 1));
    return { lines, rows: Number(rows), isLast: false, again: position, next: { ...position, cursor } };
  }

  async #follow(position: Following): Promise<FedPage> {
    const { line, joins } = this.format;
    const [page] = await this.sql.transaction(
      (session) =>
        session.query<PageRow>(
          `with bounds as (select coalesce($2::pg_snapshot, pg_current_snapshot()) as target),
           due as materialized (
             select o.xid, o.seq, o.generation_id, o.created_at from outbox_call o
             where o.xid >= greatest($3::xid8, pg_snapshot_xmin($1::pg_snapshot))
               and (o.xid, o.seq) > ($3::xid8, $4::bigint)
               and not pg_visible_in_snapshot(o.xid, $1::pg_snapshot)
               and pg_visible_in_snapshot(o.xid, (select target from bounds))
             order by o.xid, o.seq limit $5),
           last as (select xid::text, seq::text from due order by due.xid desc, due.seq desc limit 1)
           select (select string_agg(${line}, E'\\n' order by due.xid, due.seq)
               from due join generation g on g.id = due.generation_id and g.created_at = due.created_at
                 ${joins}) as lines,
             (select count(*) from due) as rows, (select target::text from bounds) as target,
             extract(epoch from now())::float8 * 1000 as at,
             (select xid from last) as xid, (select seq from last) as seq`,
          [position.seen, position.target, position.xid, position.seq, PAGE_ROWS],
        ),
      { byIndex: true },
    );
    const { lines, rows, target, xid, seq } = page!;
    const at = position.target === null ? page!.at : (position.targetAt ?? page!.at);
    const isLast = rows < PAGE_ROWS;
    const next: Following = isLast
      ? {
          ...position,
          seen: target,
          target: null,
          ...FROM_THE_START,
          at,
          ...newerMark(position, { snapshot: target, at }),
        }
      : { ...position, target, targetAt: at, xid: xid!, seq: seq! };
    const again: Following = { ...position, target, targetAt: at };
    return { lines, rows: Number(rows), isLast, again, next };
  }
}

const FROM_THE_START = { xid: '0', seq: '0' } as const;

const xminOf = (snapshot: string): bigint => BigInt(snapshot.split(':', 1)[0]!);
const newerMark = ({ sure, nextSure }: Following, now: Mark): Pick<Following, 'sure' | 'nextSure'> =>
  now.at - nextSure.at < SURE_AFTER_MS ? { sure, nextSure } : { sure: nextSure, nextSure: now };

/**
 * Whether a stored snapshot is newer than the current snapshot, and therefore from another server. Needed because
 * some servers hide their identity.
 */
const isAhead = (seen: string, now: string): boolean => xminOf(seen) > BigInt(now.split(':', 2)[1]!);

/** The smallest id with this time. */
function idAt(ms: number): string {
  const hex = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
