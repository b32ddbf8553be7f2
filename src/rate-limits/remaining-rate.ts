/** What is left of a rate limit, and the headers that say so. */
export interface RemainingRate {
  readonly remaining: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Of the requests and of the tokens of a call: the limit with the least left. */
export interface RemainingRates {
  readonly requests?: RemainingRate;
  readonly tokens?: RemainingRate;
}
