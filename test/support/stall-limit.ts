import type { ProbedService, Stall } from './probed-service.js';

/** The machine may be busy with something else: the best try counts. */
const MAX_TRIES = 5;

/** No body under its route's cap may hold the event loop longer. */
export const stallLimitMs = (bytes: number): number => 50 + (5 * bytes) / 1_000_000;

/** By the clock, or by the processor time of the event loop's thread. */
export const stallMs = ({ wall, cpu }: Stall): number => Math.min(wall, cpu);

/** The stall of the best of several tries of `act`; one within the limit ends them. */
export async function leastStall(service: ProbedService, bytes: number, act: () => Promise<void>): Promise<number> {
  let least = Infinity;
  for (let round = 0; round < MAX_TRIES && least > stallLimitMs(bytes); round++) {
    await service.resetStall();
    await act();
    least = Math.min(least, stallMs(await service.longestStall()));
  }
  return least;
}
