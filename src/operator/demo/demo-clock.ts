import { Clock } from '../../kernel/clock.js';

/** A clock that is set to the time of the demo data, so that every written row has that time. */
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
