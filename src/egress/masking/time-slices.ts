import { setImmediate as nextTurn } from 'node:timers/promises';

const MAX_TURN_MS = 5;

/** Limits the length of an event-loop turn: long work calls `pause` whenever `isOver`. */
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
