/** The record of an import. It identifies the file but does not contain it. */
export interface ImportRecord {
  readonly kind: 'catalogue' | 'benchmarks';
  readonly format: string;
  /** SHA-256 of the file. */
  readonly digest: string;
  readonly entries: number;
}
