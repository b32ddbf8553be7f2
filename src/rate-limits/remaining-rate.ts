/** The rest of a rate limit, and the headers that report it. */
export interface RemainingRate {
  readonly remaining: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** The limit of requests and the limit of tokens with the least left for a call. */
export interface RemainingRates {
  readonly requests?: RemainingRate;
  readonly tokens?: RemainingRate;
}
