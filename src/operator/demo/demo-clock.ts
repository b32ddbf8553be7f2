import { Clock } from '../../kernel/clock.js';

/** The time at which demo data happens: whatever the rooms write then has it. */
export class DemoClock extends Clock {
  constructor(private time: Date) {
    super();
  }

  now(): Date {
    return new Date(this.time);
  }

  moveTo(time: Date): void {
    this.time = time;
  }
}
