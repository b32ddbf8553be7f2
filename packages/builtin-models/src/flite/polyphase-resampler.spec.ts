import { resample } from './polyphase-resampler.ts';

const AMPLITUDE = 10_000;
const tone = (hertz: number, rate: number, length = rate): Int16Array =>
  Int16Array.from({ length }, (_, n) => Math.round(AMPLITUDE * Math.sin((2 * Math.PI * hertz * n) / rate)));

/** The amplitude of one frequency in the samples without the first and the last tenth of a second. */
function amplitudeAt(samples: Float32Array, hertz: number, rate: number): number {
  const middle = samples.subarray(rate * 0.1, rate * 0.9);
  let [re, im] = [0, 0];
  middle.forEach((sample, n) => {
    re += sample * Math.cos((2 * Math.PI * hertz * n) / rate);
    im += sample * Math.sin((2 * Math.PI * hertz * n) / rate);
  });
  return (2 * Math.hypot(re, im)) / middle.length;
}

describe('resampling to 24 kHz', () => {
  it.each([
    [8_000, 440, 8_440],
    [8_000, 3_000, 11_000],
    [16_000, 100, 8_100],
    [16_000, 1_000, 7_000],
    [16_000, 6_000, 2_000],
  ])('from %d Hz keeps a tone of %d Hz, and adds no spectral image of the tone', (rate, hertz, elsewhere) => {
    const output = resample(tone(hertz, rate), rate, 24_000);
    expect(amplitudeAt(output, hertz, 24_000) / AMPLITUDE).toBeCloseTo(1, 2);
    expect(amplitudeAt(output, rate - hertz, 24_000)).toBeLessThan(AMPLITUDE / 1_000);
    expect(amplitudeAt(output, elsewhere, 24_000)).toBeLessThan(AMPLITUDE / 1_000);
  });

  it('returns the same tone, sample by sample, without delay', () => {
    const output = resample(tone(1_000, 16_000), 16_000, 24_000);
    const ideal = tone(1_000, 24_000);
    let worst = 0;
    for (let n = 2_000; n < 22_000; n++) worst = Math.max(worst, Math.abs(output[n]! - ideal[n]!));
    expect(worst).toBeLessThan(AMPLITUDE / 1_000);
  });

  it('keeps the level of a constant signal in every phase', () => {
    const output = resample(new Int16Array(1_000).fill(5_000), 16_000, 24_000);
    for (const sample of output.subarray(100, 1_400)) expect(sample).toBeCloseTo(5_000, 1);
  });

  it('returns three samples at 24 kHz for two samples at 16 kHz, rounded up', () => {
    expect(resample(new Int16Array(1_000), 16_000, 24_000)).toHaveLength(1_500);
    expect(resample(new Int16Array(1_001), 16_000, 24_000)).toHaveLength(1_502);
    expect(resample(new Int16Array(1), 8_000, 24_000)).toHaveLength(3);
    expect(resample(new Int16Array(0), 16_000, 24_000)).toHaveLength(0);
  });
});
