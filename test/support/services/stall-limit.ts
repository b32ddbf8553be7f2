import type { ProbedService, Stall } from './probed-service.js';

/** The machine may be busy with something else: the best try counts. */
const MAX_TRIES = 5;
/** What `sampleMs` is on the machine that the limit was set for. */
const USUAL_SAMPLE_MS = 15;

/** No body under its route's cap may hold the event loop longer. */
export const stallLimitMs = (bytes: number): number => 50 + (5 * bytes) / 1_000_000;

/** By the clock, or by the processor time of the event loop's thread. */
export const stallMs = ({ wall, cpu }: Stall): number => Math.min(wall, cpu);

/**
 * The stall of the best of several tries of `act`; one within the limit ends them. A stall over the limit is divided by
 * the share by which a fixed work takes longer than usual: a slow or a busy machine does not make it longer.
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

/** How much slower than usual the machine is; never below 1. */
export const slowness = (sampleMs: number): number => Math.max(1, sampleMs / USUAL_SAMPLE_MS);
