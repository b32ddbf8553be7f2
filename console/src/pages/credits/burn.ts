/** The start of the month in UTC that is `months` months after the month of `now`. */
export const monthStart = (now: number, months = 0): number => {
  const time = new Date(now);
  return Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + months);
};

/** The forecast for a month at its rate so far. */
export function monthForecast(spent: number, now: number): number {
  const [start, end] = [monthStart(now), monthStart(now, 1)];
  return now > start ? (spent / (now - start)) * (end - start) : spent;
}
