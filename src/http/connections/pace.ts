/** The limits for one direction of a connection. */
export interface PaceRule {
  /** Maximum time without a byte, in milliseconds. */
  readonly idleMs: number;
  /** Minimum average rate in a window of `windowMs` milliseconds; 0 = no limit. */
  readonly bytesPerSecond: number;
  readonly windowMs: number;
}

/**
 * Measures the rate of one direction of a connection while there are bytes to transfer. Times are milliseconds of a
 * monotonic clock.
 */
export class Pace {
  #isRunning = false;
  #windowAt = 0;
  #windowBytes = 0;
  #movedAt = 0;
  #movedBytes = 0;

  /** Pauses the measurement while there is nothing to transfer. */
  pause(): void {
    this.#isRunning = false;
  }

  /** `bytes`: the number of bytes that were transferred since the connection was opened. */
  isTooSlow(bytes: number, now: number, { idleMs, bytesPerSecond, windowMs }: PaceRule): boolean {
    if (!this.#isRunning) {
      this.#isRunning = true;
      this.#beginWindow(bytes, now);
      this.#movedAt = now;
      this.#movedBytes = bytes;
      return false;
    }
    if (bytes !== this.#movedBytes) {
      this.#movedAt = now;
      this.#movedBytes = bytes;
    }
    if (now - this.#movedAt >= idleMs) return true;
    const elapsed = now - this.#windowAt;
    const gained = bytes - this.#windowBytes;
    // The peer's TCP may accept bytes in steps of 64 KiB. If no byte was transferred for `windowMs`, only `idleMs`
    // applies.
    if (elapsed < windowMs || gained === 0) return false;
    if (gained * 1_000 < bytesPerSecond * elapsed) return true;
    this.#beginWindow(bytes, now);
    return false;
  }

  #beginWindow(bytes: number, now: number): void {
    this.#windowAt = now;
    this.#windowBytes = bytes;
  }
}
