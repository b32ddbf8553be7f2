import { jest } from '@jest/globals';
import { ActiveClock } from './active-clock.ts';

describe('the clock of a turn', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('counts the time of work, and not the time of waiting', () => {
    const onExpiry = jest.fn();
    const clock = new ActiveClock(1_000, onExpiry);
    clock.resume();
    jest.advanceTimersByTime(600);
    clock.pause();
    jest.advanceTimersByTime(100_000);
    clock.resume();
    jest.advanceTimersByTime(399);
    expect(onExpiry).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    expect(onExpiry).toHaveBeenCalledTimes(1);
  });
});
