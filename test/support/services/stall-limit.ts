import type { ProbedService, Stall } from './probed-service.js';

/** The machine may be busy, so only the try with the shortest stall counts. */
const MAX_TRIES = 5;
/** The value of `sampleMs` on the machine for which the limit was set. */
const USUAL_SAMPLE_MS = 15;

/** The maximum time for which a body within its route's limit may block the event loop. */
export const stallLimitMs = (bytes: number): number => 50 + (5 * bytes) / 1_000_000;

/** The shorter of the clock time and the processor time of the event loop's thread. */
export const stallMs = ({ wall, cpu }: Stall): number => Math.min(wall, cpu);

/**
 * Repeats `act` until a stall is within the limit, at most MAX_TRIES times, and returns the shortest stall. A stall
 * above the limit is divided by the current slowness of the machine, so that a slow or busy machine does not fail the
 * test.
 */
export async function leastStall(service: ProbedService, bytes: number, act: () => Promise<void>): Promise<number> {
  let least = Infinity;
  for (let round = 0; round < MAX_TRIES && least > stallLimitMs(bytes); round++) {
    await service.resetStall();
    await act();
    const stall = stallMs(await service.longestStall());
    least = Math.min(least, stall <= stallLimitMs(bytes) ? stall : stall / slowness(await service.sampleMs()));
  }
  return least;
}

/** How many times slower than usual the machine is; at least 1. */
export const slowness = (sampleMs: number): number => Math.max(1, sampleMs / USUAL_SAMPLE_MS);
