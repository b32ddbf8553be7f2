/** The progress of a store. Snapshots are texts of PostgreSQL's type pg_snapshot. */
export type Position = Filling | Following;

/** A snapshot and the database's time when it was taken, in milliseconds. */
export interface Mark {
  readonly snapshot: string;
  readonly at: number;
}

/**
 * The store copies the records in the order of their ids. Records that are committed during the copy are read from the
 * outbox afterwards.
 */
export interface Filling {
  readonly mode: 'filling';
  readonly history: string;
  /** A snapshot that was taken before the first record was read. Everything that is visible in it is in the records. */
  readonly seen: string;
  /** The last id copied. */
  readonly cursor: string;
  /** The database's time when `seen` was taken, in milliseconds. */
  readonly at: number;
}

/**
 * The store reads entries of the outbox whose transactions are visible in `target` but not in `seen`, in the order of
 * (xid, seq). Transactions are not committed in that order, so the progress is a snapshot, not a number.
 */
export interface Following {
  readonly mode: 'following';
  readonly history: string;
  readonly seen: string;
  readonly target: string | null;
  /** The database's clock when `target` was taken, in milliseconds. */
  readonly targetAt?: number;
  readonly xid: string;
  readonly seq: string;
  /** The database's clock when `seen` was taken, in milliseconds. */
  readonly at: number;
  /**
   * The position to resume from after a fault. After a crash, a server reuses transaction ids that were not on disk,
   * because reservations commit asynchronously. `seen` may include such ids. Every transaction that is visible in
   * `sure` was on disk.
   */
  readonly sure: Mark | null;
  /** Becomes `sure` after SURE_AFTER_MS. */
  readonly nextSure: Mark;
}

export const FIRST_ID = '00000000-0000-0000-0000-000000000000';
