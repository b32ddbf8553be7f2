import type { Sql } from '../../../database/sql.js';

/** The progress of the copy in ClickHouse. */
export interface FeedProgress {
  /** Undefined until a writer has started. */
  readonly phase: 'filling' | 'following' | undefined;
  /** The database's time up to which the copy has every call, in milliseconds; null while the copy is being filled. */
  readonly completeTo: number | null;
  /** Time since the copy last had every recorded call; null if it never had. */
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
