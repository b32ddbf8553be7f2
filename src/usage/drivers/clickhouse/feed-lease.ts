import { randomUUID } from 'node:crypto';
import type { Sql } from '../../../database/sql.js';
import type { Position } from '../../feed/position.js';

/** A writer that has not renewed its lease for this time is replaced. The time is longer than an insert may take. */
const LEASE_SECONDS = 30;

/** A block that may be in ClickHouse. */
export interface OpenBlock {
  readonly block: number;
  /** The position from which the records of the block can be read again. */
  readonly again: Position;
  /** Whether the block omits calls that are in earlier blocks. */
  readonly overlaps: boolean;
  /** The digest of the block's text. */
  readonly digest: string;
}

/** The state of the feed, from which the next writer continues. */
export interface FeedState {
  readonly position: Position;
  /** The number of the newest block. Numbers are not used twice. */
  readonly block: number;
  /** The number of the newest block that ClickHouse has; 0 = none. */
  readonly stored: number;
  readonly open: OpenBlock | null;
  /** Whether the tables must be removed first, because their contents are invalid. */
  readonly clears: boolean;
}

/** Thrown when another process has become the writer. */
export class LeaseLost extends Error {
  override name = 'LeaseLost';
}

/** Only one process writes to ClickHouse. Its lease and the state of its work are stored in PostgreSQL. */
export class FeedLease {
  readonly #holder = randomUUID();

  constructor(private readonly sql: Sql) {}

  /** Takes the lease. Returns false while another process has the lease. */
  async take(): Promise<boolean> {
    const taken = await this.sql.query(
      `update clickhouse_feed set holder = $1, held_until = clock_timestamp() + interval '${LEASE_SECONDS} s'
       where holder = $1 or held_until < clock_timestamp() returning 1`,
      [this.#holder],
    );
    return taken.length > 0;
  }

  async state(): Promise<FeedState | undefined> {
    const [row] = await this.sql.query<{ state: FeedState | null }>('select state from clickhouse_feed');
    return row?.state ?? undefined;
  }

  /**
   * Stores the state and renews the lease. `isCaughtUp`: ClickHouse has every call that had been recorded at the time
   * of the position. Throws LeaseLost if another process has the lease.
   */
  async save(state: FeedState, isCaughtUp = false): Promise<void> {
    const { position } = state;
    const following = position.mode === 'following' ? position : undefined;
    const saved = await this.sql.query(
      `update clickhouse_feed set held_until = clock_timestamp() + interval '${LEASE_SECONDS} s', state = $2,
         seen = $3::pg_snapshot, read_at = clock_timestamp(), is_filling = $4,
         complete_to = case when $4 then null else greatest(complete_to, $5::float8) end,
         caught_up_at = case when $6 then clock_timestamp() else caught_up_at end
       where holder = $1 returning 1`,
      [
        this.#holder,
        JSON.stringify(state),
        (following?.sure ?? following?.nextSure)?.snapshot ?? position.seen,
        following === undefined,
        following?.at ?? null,
        isCaughtUp,
      ],
    );
    if (saved.length === 0) throw new LeaseLost('another process writes to ClickHouse');
  }

  async release(): Promise<void> {
    await this.sql.query(`update clickhouse_feed set holder = null, held_until = '-infinity' where holder = $1`, [
      this.#holder,
    ]);
  }
}

/** The progress of the copy in ClickHouse. */
export interface FeedProgress {
  /** Undefined until a writer has started. */
  readonly phase: 'filling' | 'following' | undefined;
  /**
   * The time of the database, in milliseconds, up to which the copy has every call; null while the copy is being
   * filled.
   */
  readonly completeTo: number | null;
  /** Time since the copy last had every recorded call; null if the copy never had every call. */
  readonly behindMs: number | null;
}

export async function readFeedProgress(sql: Sql): Promise<FeedProgress> {
  const [row] = await sql.query<{ filling: boolean | null; complete_to: number | null; behind: number | null }>(
    `select is_filling as filling, complete_to,
       greatest(0, extract(epoch from clock_timestamp() - caught_up_at)::float8 * 1000) as behind
     from clickhouse_feed`,
  );
  const filling = row?.filling ?? null;
  return {
    phase: filling === null ? undefined : filling ? 'filling' : 'following',
    completeTo: row?.complete_to ?? null,
    behindMs: row?.behind ?? null,
  };
}
