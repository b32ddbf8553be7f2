/** The progress of a store. Snapshots are PostgreSQL's pg_snapshot texts. */
export type Position = Filling | Following;

/** A snapshot and the database's time when it was taken, in milliseconds. */
export interface Mark {
  readonly snapshot: string;
  readonly at: number;
}

/**
 * Copies the records in the order of their ids. Records that are committed during the copy are then read
 * from the outbox.
 */
export interface Filling {
  readonly mode: 'filling';
  readonly history: string;
  /** Taken before the first record was read: everything that it shows is in the records. */
  readonly seen: string;
  /** The last id copied. */
  readonly cursor: string;
  /** The database's time when `seen` was taken, in milliseconds. */
  readonly at: number;
}

/**
 * Consumes the outbox: entries whose transactions are visible in `target` but not in `seen`, in the order of (xid,
 * seq). Commits do not arrive in that order, so progress is a snapshot, not a number.
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
   * Where to resume after a fault. A crashed server reuses transaction ids that it had not written to disk
   * (reservations commit asynchronously), and `seen` may include those. Everything that an older mark shows was already
   * on disk.
   */
  readonly sure: Mark | null;
  /** Becomes `sure` after SURE_AFTER_MS. */
  readonly nextSure: Mark;
}

export const FIRST_ID = '00000000-0000-0000-0000-000000000000';
