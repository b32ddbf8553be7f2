/** Measures of speech audio: 24 kHz mono 16-bit little-endian PCM, as the API returns it. */
const HZ = 24_000;
const FULL_SCALE = 32_768;

export async function collect(audio: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of audio) parts.push(part);
  return Buffer.concat(parts);
}

export function samplesOf(pcm: Uint8Array): Int16Array {
  if (pcm.length % 2 !== 0) throw new Error('half a sample at the end');
  return new Int16Array(Uint8Array.from(pcm).buffer);
}

export const seconds = (pcm: Uint8Array): number => pcm.length / 2 / HZ;

/** Root mean square, as a share of full scale. */
export function loudness(samples: Int16Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return Math.sqrt(sum / samples.length) / FULL_SCALE;
}

/** The mean, as a share of full scale. */
export function offset(samples: Int16Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample;
  return sum / samples.length / FULL_SCALE;
}

/** The number of samples at the limits of the scale. */
export function clipped(samples: Int16Array): number {
  return samples.filter((sample) => sample >= 32_767 || sample <= -32_768).length;
}

/** The highest absolute value of a sample, as a share of full scale. */
export function peak(samples: Int16Array): number {
  let highest = 0;
  for (const sample of samples) highest = Math.max(highest, Math.abs(sample));
  return highest / FULL_SCALE;
}

/** The median pitch of the voiced parts in Hz, by autocorrelation of 40 ms windows; NaN if nothing is voiced. */
export function pitch(samples: Int16Array): number {
  const size = HZ * 0.04;
  const [shortest, longest] = [Math.round(HZ / 320), Math.round(HZ / 70)];
  const pitches: number[] = [];
  for (let start = 0; start + size + longest < samples.length; start += size) {
    const energy = correlation(samples, start, 0, size);
    if (Math.sqrt(energy / size) < 0.02 * FULL_SCALE) continue;
    let best = { lag: 0, value: 0 };
    for (let lag = shortest; lag <= longest; lag++) {
      const value =
        correlation(samples, start, lag, size) / Math.sqrt(energy * correlation(samples, start + lag, 0, size));
      // Two periods correlate as well as one, so prefer the shorter lag.
      if (value > best.value * 1.05) best = { lag, value };
    }
    if (best.value > 0.7) pitches.push(HZ / best.lag);
  }
  return pitches.sort((a, b) => a - b)[pitches.length >> 1] ?? NaN;
}

function correlation(samples: Int16Array, start: number, lag: number, size: number): number {
  let sum = 0;
  for (let n = start; n < start + size; n++) sum += samples[n]! * samples[n + lag]!;
  return sum;
}
