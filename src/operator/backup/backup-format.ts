/**
 * A backup file is a gzip stream of lines, readable with `zcat`:
 *
 *     {"format":"gatehouse-backup","version":1,…}     the header
 *     {"table":"account"}                             then, for every table of the header, in its order:
 *     01a1…\t1\tDefault\t2026-11-20 …                 its rows, in PostgreSQL's text format of COPY, in UTF-8
 *     \.
 *     {"rows":{…},"sequences":{…},"sha256":"…"}       the trailer, and nothing after it
 *
 * The SHA-256 is computed from the uncompressed bytes before the line of the trailer.
 */
export const FORMAT = 'gatehouse-backup';
export const FORMAT_VERSION = 1;

/** Ends the rows of a table. No row equals this line, because COPY doubles each backslash of a value. */
export const END_OF_ROWS = '\\.\n';

/** A table with its columns, in the order of the values in its rows. */
export interface TableShape {
  readonly name: string;
  readonly columns: readonly string[];
}

export interface BackupHeader {
  readonly format: typeof FORMAT;
  readonly version: typeof FORMAT_VERSION;
  /** The backup's id, which the audit record also contains. */
  readonly id: string;
  readonly takenAt: string;
  /** The database's migrations, oldest first; they identify its schema. */
  readonly migrations: readonly string[];
  readonly tables: readonly TableShape[];
  /** Days (2026-11-20) for which usage records have a separate partition. */
  readonly days: readonly string[];
  /**
   * Ids of the master keys with which the sealed data of the backup can be opened. Absent in backups of earlier
   * versions.
   */
  readonly masterKeys?: readonly string[];
}

export interface BackupTrailer {
  /** Number of rows, by table. */
  readonly rows: Readonly<Record<string, number>>;
  /** The last value of each sequence, by name. */
  readonly sequences: Readonly<Record<string, string>>;
  readonly sha256: string;
}
