const DAY_MS = 86_400_000;

/** The start of the oldest UTC day that is kept, in milliseconds. */
export const retainedFrom = (days: number, now = Date.now()): number =>
  Math.floor(now / DAY_MS) * DAY_MS - days * DAY_MS;
