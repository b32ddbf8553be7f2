import { inSlices } from './slices.js';

/** Blocks the event loop for about 2 ms per step. */
function* work(steps: number, onStep: () => void): Generator<void, number, void> {
  for (let step = 0; step < steps; step++) {
    const until = performance.now() + 2;
    while (performance.now() < until);
    onStep();
    yield;
  }
  return steps;
}

describe('work in slices', () => {
  it('lets the event loop run between its slices, and ends with its result', async () => {
    let steps = 0;
    const seen: number[] = [];
    const timer = setInterval(() => seen.push(steps), 1);
    const result = await inSlices(work(40, () => steps++));
    clearInterval(timer);
    expect(result).toBe(40);
    expect(seen.filter((at) => at > 0 && at < 40).length).toBeGreaterThan(2);
  });

  it('runs slices round-robin: a short computation does not wait for an earlier long one', async () => {
    const ended: string[] = [];
    await Promise.all([
      inSlices(work(60, () => undefined)).then(() => ended.push('long')),
      inSlices(work(2, () => undefined)).then(() => ended.push('short')),
    ]);
    expect(ended).toEqual(['short', 'long']);
  });

  it('runs one slice per turn of the event loop, for any number of computations', async () => {
    let most = 0;
    let inTurn = 0;
    const all = Promise.all(
      Array.from({ length: 10 }, () => inSlices(work(10, () => (most = Math.max(most, ++inTurn))))),
    );
    let isRunning = true;
    const turn = (): void => {
      inTurn = 0;
      if (isRunning) setImmediate(turn);
    };
    turn();
    await all;
    isRunning = false;
    // One slice has 4 steps of 2 ms, and the step that is running after 8 ms. Ten slices in one turn would have 50
    // steps.
    expect(most).toBeLessThanOrEqual(10);
  });

  it('rejects with the error of the work, and continues with the other computations', async () => {
    const broken = inSlices(
      (function* (): Generator<void, void, void> {
        yield;
        throw new Error('broken');
      })(),
    );
    const whole = inSlices(work(1, () => undefined));
    await expect(broken).rejects.toThrow('broken');
    expect(await whole).toBe(1);
  });
});
