/** The remaining requests or tokens of a rate limit, and the headers that report them. */
export interface RemainingRate {
  readonly remaining: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** The request limit and the token limit of a call with the fewest remaining requests or tokens. */
export interface RemainingRates {
  readonly requests?: RemainingRate;
  readonly tokens?: RemainingRate;
}
