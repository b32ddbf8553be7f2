import { setImmediate as nextTurn } from 'node:timers/promises';

const MAX_TURN_MS = 5;

/** Limits the duration of an event-loop turn. Long work awaits `pause()` whenever `isOver` is true. */
export class TimeSlices {
  #since = performance.now();

  get isOver(): boolean {
    return performance.now() - this.#since > MAX_TURN_MS;
  }

  async pause(): Promise<void> {
    await nextTurn();
    this.#since = performance.now();
  }
}
