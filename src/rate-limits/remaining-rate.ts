/** The remaining requests or tokens of a rate limit, and the headers that report them. */
export interface RemainingRate {
  readonly remaining: number;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Two limits of one call: the request limit with the fewest remaining requests, and the token limit with the fewest
 * remaining tokens.
 */
export interface RemainingRates {
  readonly requests?: RemainingRate;
  readonly tokens?: RemainingRate;
}
