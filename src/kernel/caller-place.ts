/** Where a request came from, for the audit record. */
export interface CallerPlace {
  /** Network address, as far as a trusted proxy names it; null = unknown. */
  readonly address: string | null;
  /** The X-Request-Id of the answer. */
  readonly requestId: string | null;
}
