import { MAX_RETRY_MS, nextAttempt } from './delivery-schedule.js';

const FIRST = new Date('2026-11-22T12:00:00Z');
const after = (ms: number): Date => new Date(FIRST.getTime() + ms);
const HOUR_MS = 3_600_000;

describe('the schedule of attempts', () => {
  it('doubles its pauses from 5 s up to an hour', () => {
    const pauses = Array.from({ length: 14 }, (_, index) => nextAttempt(index + 1, FIRST, FIRST, 0.5)!);
    const seconds = pauses.map((next) => (next.getTime() - FIRST.getTime()) / 1_000);
    expect(seconds.slice(0, 4)).toEqual([5, 10, 20, 40]);
    expect(seconds.slice(9)).toEqual([2_560, 3_600, 3_600, 3_600, 3_600]);
  });

  it('varies each pause by a fifth', () => {
    const [least, most] = [0, 1].map((random) => nextAttempt(20, FIRST, FIRST, random)!.getTime() - FIRST.getTime());
    expect([least, most]).toEqual([0.8 * HOUR_MS, 1.2 * HOUR_MS]);
  });

  it('ends with an attempt after three days, whatever the pause is', () => {
    expect(nextAttempt(90, FIRST, after(MAX_RETRY_MS - 1_000), 0.5)).toEqual(after(MAX_RETRY_MS));
    expect(nextAttempt(90, FIRST, after(MAX_RETRY_MS - 1), 0.5)).toEqual(after(MAX_RETRY_MS));
    expect(nextAttempt(91, FIRST, after(MAX_RETRY_MS), 0.5)).toBeNull();
  });
});
