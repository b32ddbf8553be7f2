import { toSpokenPieces } from '@gatehouse/builtin-models';
import { checkDuration, estimatedSeconds, MAX_SPOKEN_SECONDS } from './spoken-seconds.js';

const estimate = (text: string, speed = 1): number => estimatedSeconds(toSpokenPieces(text), speed);
const PROSE = 'When the long evening came at last, the lamps were lit one after the other. ';

describe('the length of built-in speech', () => {
  // Measured with the voice `slt`, in seconds.
  it.each([
    ['prose', PROSE.repeat(5), 22],
    ['short sentences', 'This sentence is spoken. '.repeat(16), 30],
    ['letters that are spelled', 'W'.repeat(400), 141],
    ['digits', '777777777 '.repeat(40), 173],
    ['amounts', '$1.99 '.repeat(66), 117],
    ['signs', '%&'.repeat(200), 210],
  ])('is estimated at 0.6 to 1.6 times the measured length: %s', (_what, text, measured) => {
    expect(estimate(text) / measured).toBeGreaterThan(0.6);
    expect(estimate(text) / measured).toBeLessThan(1.6);
  });

  it('is inversely proportional to the speed', () => {
    expect(estimate(PROSE, 0.25)).toBeCloseTo(estimate(PROSE) * 4);
  });

  it.each([
    ['10,000 characters of prose', 'This sentence is spoken. '.repeat(400), 1],
    ['1,300 digits', '7'.repeat(1_300), 1],
    ['20,000 letters at speed 4', 'ba'.repeat(10_000), 4],
  ])('may be at most ten minutes: %s are spoken', (_what, text, speed) => {
    expect(() => checkDuration(toSpokenPieces(text), speed)).not.toThrow();
  });

  it.each([
    ['4,000 digits', '7'.repeat(4_000), 1],
    ['1,400 digits', '7'.repeat(1_400), 1],
    ['2,000 letters that are spelled', 'bcdf'.repeat(500), 1],
    ['4,000 characters of prose at speed 0.25', PROSE.repeat(52), 0.25],
    ['20,000 characters of prose', PROSE.repeat(263), 1],
  ])('may be at most ten minutes: %s are refused', (_what, text, speed) => {
    expect(() => checkDuration(toSpokenPieces(text), speed)).toThrow(
      `this model speaks at most ${MAX_SPOKEN_SECONDS} seconds`,
    );
  });
});
