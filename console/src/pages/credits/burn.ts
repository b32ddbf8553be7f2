const DAY_MS = 86_400_000;
/** A forecast beyond this says nothing. */
const MAX_FORECAST_DAYS = 3_650;

/** When credits end at a rate of spending in USD a day; undefined where they do not end in sight. */
export function endOfCredits(left: number, perDay: number, now: number): Date | undefined {
  if (left <= 0) return new Date(now);
  const days = left / perDay;
  return perDay > 0 && days <= MAX_FORECAST_DAYS ? new Date(now + days * DAY_MS) : undefined;
}

/** The beginning of a month in UTC, `months` later. */
export const monthStart = (now: number, months = 0): number => {
  const time = new Date(now);
  return Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + months);
};

/** What a month comes to at its rate so far. */
export function monthForecast(spent: number, now: number): number {
  const [start, end] = [monthStart(now), monthStart(now, 1)];
  return now > start ? (spent / (now - start)) * (end - start) : spent;
}
