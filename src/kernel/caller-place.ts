/** The origin of a request, for the audit trail. */
export interface CallerPlace {
  /** Network address, as far as trusted proxies report it; null = unknown. */
  readonly address: string | null;
  /** The X-Request-Id of the response. */
  readonly requestId: string | null;
}
