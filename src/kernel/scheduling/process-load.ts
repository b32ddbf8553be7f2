/** The clock, in milliseconds, and the load of the event loop. Tests replace both. */
export interface ProcessLoad {
  now(): number;
  /** The share of the time since the previous call in which the event loop was active. */
  activeShare(): number;
}

export class EventLoopLoad implements ProcessLoad {
  #before = performance.eventLoopUtilization();

  now(): number {
    return performance.now();
  }

  activeShare(): number {
    const before = this.#before;
    this.#before = performance.eventLoopUtilization();
    return performance.eventLoopUtilization(this.#before, before).utilization;
  }
}
