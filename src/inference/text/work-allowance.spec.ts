import { Clock } from '../../kernel/clock.js';
import { WorkAllowance } from './work-allowance.js';

class SetClock extends Clock {
  ms = 1_000;
  now(): Date {
    return new Date(this.ms);
  }
}

describe('an allowance of work per minute', () => {
  const clock = new SetClock();
  const anAllowance = (msPerMinute = 6_000): WorkAllowance => new WorkAllowance(msPerMinute, clock);

  it('lets a key work until its allowance is used, and no longer', () => {
    const allowance = anAllowance();
    allowance.add(1, 5_999);
    expect(allowance.waitMs(1)).toBe(0);
    allowance.add(1, 1);
    expect(allowance.waitMs(1)).toBe(1);
    clock.ms += 1;
    expect(allowance.waitMs(1)).toBe(0);
  });

  it('makes a key wait in proportion to its excess, and does not make other keys wait', () => {
    const allowance = anAllowance();
    allowance.add(1, 12_000);
    expect(allowance.waitMs(1)).toBe(60_000);
    expect(allowance.waitMs(2)).toBe(0);
    clock.ms += 30_000;
    expect(allowance.waitMs(1)).toBe(30_000);
  });

  it('does not grow during a pause longer than a minute', () => {
    const allowance = anAllowance();
    allowance.add(1, 1);
    clock.ms += 600_000;
    allowance.add(1, 6_000);
    expect(allowance.waitMs(1)).toBe(1);
  });

  it('drops the least recently active key if there are too many', () => {
    const allowance = anAllowance();
    for (let keyNo = 0; keyNo <= 10_000; keyNo++) allowance.add(keyNo, 6_000);
    expect([0, 1, 10_000].map((keyNo) => allowance.waitMs(keyNo))).toEqual([0, 1, 1]);
  });
});
