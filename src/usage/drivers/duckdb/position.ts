/** How far a store has followed. Snapshots are PostgreSQL's pg_snapshot texts. */
export type Position = Filling | Following;

/** A snapshot and the database's clock when it was taken, in milliseconds. */
export interface Mark {
  readonly snapshot: string;
  readonly at: number;
}

/** Copies the records themselves, in the order of their ids; whatever commits meanwhile is followed afterwards. */
export interface Filling {
  readonly mode: 'filling';
  readonly history: string;
  /** Taken before the first record was read: all it shows lies in the records. */
  readonly seen: string;
  /** The last id copied. */
  readonly cursor: string;
  /** The database's clock when `seen` was taken, in milliseconds. */
  readonly at: number;
}

/**
 * Consumes the outbox: entries whose transactions `target` shows and `seen` did not, in the order of (xid, seq). Commits do
 * not arrive in that order, so that what was read is told by snapshots and by no number.
 */
export interface Following {
  readonly mode: 'following';
  readonly history: string;
  readonly seen: string;
  readonly target: string | null;
  readonly xid: string;
  readonly seq: string;
  /** The database's clock when `seen` was taken, in milliseconds. */
  readonly at: number;
  /**
   * Where to go back to after a fault. A server that crashes gives the numbers of transactions away again that it had not written
   * to disk yet (reservations commit so), and `seen` may show those. What a mark of some age shows was on disk.
   */
  readonly sure: Mark | null;
  /** Becomes `sure` with age. */
  readonly nextSure: Mark;
}

export const FIRST_ID = '00000000-0000-0000-0000-000000000000';
