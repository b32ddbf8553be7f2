/** What is kept of every import: which file it was, not what is in it. */
export interface ImportRecord {
  readonly kind: 'catalogue' | 'benchmarks';
  readonly format: string;
  /** SHA-256 of the file. */
  readonly digest: string;
  readonly entries: number;
}
