import { Pace } from './pace.js';

const RULE = { idleMs: 120_000, bytesPerSecond: 1_024, windowMs: 60_000 };

/** Records byte counts at times in seconds. Returns the first time at which they are too slow. */
function firstTooSlow(
  course: readonly (readonly [second: number, bytes: number | 'rest'])[],
  rule = RULE,
): number | undefined {
  const pace = new Pace();
  for (const [second, bytes] of course) {
    if (bytes === 'rest') pace.pause();
    else if (pace.isTooSlow(bytes, second * 1_000, rule)) return second;
  }
  return undefined;
}

/** The values of `at`, every five seconds. */
const course = (seconds: number, at: (second: number) => number | 'rest'): [number, number | 'rest'][] =>
  Array.from({ length: seconds / 5 + 1 }, (_, index) => [index * 5, at(index * 5)]);

describe('the pace of a connection', () => {
  it('is too slow after 120 s without a byte, not before', () => {
    expect(firstTooSlow(course(300, () => 5_000))).toBe(120);
    expect(
      firstTooSlow([
        [0, 0],
        [119.9, 0],
      ]),
    ).toBeUndefined();
  });

  it('is too slow below 1 KiB/s over 60 s, and not at exactly 1 KiB/s', () => {
    expect(firstTooSlow(course(300, (second) => second * 1_000))).toBe(60);
    expect(firstTooSlow(course(3_000, (second) => second * 1_024))).toBeUndefined();
  });

  it('is measured over the window, and not between two checks', () => {
    expect(firstTooSlow(course(600, (second) => Math.floor(second / 30) * 40_000))).toBeUndefined();
    // 64 KiB at once, every 50 s, like the opening of a TCP window.
    expect(firstTooSlow(course(600, (second) => Math.floor(second / 50) * 65_536))).toBeUndefined();
  });

  it('is too slow with single bytes at any interval', () => {
    for (const every of [10, 50, 70, 110, 119])
      expect(firstTooSlow(course(1_000, (second) => Math.floor(second / every)))).toBeLessThanOrEqual(180);
  });

  it('does not count the time in which there is nothing to transfer', () => {
    expect(firstTooSlow(course(3_000, (second) => (second % 100 === 0 ? 'rest' : 7)))).toBeUndefined();
  });

  it('is measured again after a fast window', () => {
    expect(firstTooSlow(course(600, (second) => Math.min(second, 100) * 1_000_000))).toBe(220);
  });

  it('may be any rate above 0 if the minimum rate is 0', () => {
    expect(
      firstTooSlow(
        course(3_000, (second) => second / 5),
        { ...RULE, bytesPerSecond: 0 },
      ),
    ).toBeUndefined();
    expect(
      firstTooSlow(
        course(3_000, () => 1),
        { ...RULE, bytesPerSecond: 0 },
      ),
    ).toBe(120);
  });
});
