import type { DemoTraffic, Rhythm } from './demo-data.js';
import type { SeededRandom } from './seeded-random.js';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
export const DAYS = 30;
/** The relative growth of traffic from the first day to the last. */
const GROWTH = 0.35;

/** Weights of the hours of a day in UTC, and the factor for a day at a weekend. */
const RHYTHMS: Readonly<Record<Rhythm, { readonly hours: readonly number[]; readonly weekend: number }>> = {
  office: {
    hours: [0, 0, 0, 0, 0, 0.1, 1, 4, 8, 10, 10, 9, 6, 8, 10, 10, 9, 6, 3, 1.5, 1, 0.6, 0.3, 0.1],
    weekend: 0.08,
  },
  customers: {
    hours: [2, 1.2, 0.8, 0.6, 0.6, 1, 2, 4, 6, 7, 8, 8, 7.5, 8, 8, 8, 7.5, 7, 7, 7, 6, 5, 4, 3],
    weekend: 0.6,
  },
  night: {
    hours: [6, 10, 10, 9, 6, 2, 1, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 1, 2, 4],
    weekend: 0.9,
  },
};

const isWeekend = (day: number): boolean => [0, 6].includes(new Date(day).getUTCDay());

/** The start of the last working day that is at least `daysAgo` days ago, in Unix milliseconds. */
export function workingDayBefore(until: Date, daysAgo: number): number {
  let day = Math.floor(until.getTime() / DAY_MS) * DAY_MS - daysAgo * DAY_MS;
  while (isWeekend(day)) day -= DAY_MS;
  return day;
}

interface DemoHour {
  readonly from: number;
  readonly to: number;
  readonly weight: number;
}

/** The hours of the month, each with its weight for the calls of a key. */
export function hoursOf(
  rhythm: Rhythm,
  until: Date,
  spike: (DemoTraffic['spike'] & { readonly day: number }) | undefined,
): DemoHour[] {
  const end = until.getTime();
  const begin = end - DAYS * DAY_MS;
  const { hours, weekend } = RHYTHMS[rhythm];
  const found: DemoHour[] = [];
  for (let hour = Math.floor(begin / HOUR_MS) * HOUR_MS; hour < end; hour += HOUR_MS) {
    const day = Math.floor(hour / DAY_MS) * DAY_MS;
    const [from, to] = [Math.max(hour, begin), Math.min(hour + HOUR_MS, end)];
    const ofDay = (hour - day) / HOUR_MS;
    const grown = 1 + (GROWTH * (hour - begin)) / (end - begin);
    const isSpike = spike?.day === day && Math.abs(ofDay - spike.hour) <= 2;
    const factor = (isWeekend(day) ? weekend : 1) * (isSpike ? spike.factor : 1);
    found.push({ from, to, weight: (hours[ofDay]! * grown * factor * (to - from)) / HOUR_MS });
  }
  return found;
}

/** Returns a function that draws times in Unix milliseconds, distributed by the weights of the hours. */
export function timesIn(random: SeededRandom, hours: readonly DemoHour[]): () => number {
  let sum = 0;
  const sums = hours.map(({ weight }) => (sum += weight));
  return () => {
    const drawn = random.next() * sum;
    const { from, to } = hours[sums.findIndex((upTo) => drawn < upTo)] ?? hours.at(-1)!;
    return Math.floor(random.between(from, to));
  };
}
