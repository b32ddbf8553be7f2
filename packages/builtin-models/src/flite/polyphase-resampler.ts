/** The number of taps of a phase. With the window below, the transition band is about 1.3 kHz at 16 → 24 kHz. */
const TAPS_PER_PHASE = 64;
/** The shape parameter of the Kaiser window, for a stop-band attenuation of about 80 dB. */
const KAISER_BETA = 7.86;
/** The -6 dB point, as a fraction of the lower Nyquist frequency. */
const CUTOFF = 0.95;

interface Kernel {
  readonly up: number;
  readonly down: number;
  /** The taps of each phase, normalised to unit gain at DC, in the order of the input samples. */
  readonly phases: readonly Float64Array[];
}

const kernels = new Map<string, Kernel>();

/**
 * Converts samples between two rates (integers, in Hz) by a band-limiting polyphase windowed-sinc filter. There is no
 * delay: sample 0 of the result corresponds to sample 0 of the input. The input is treated as silent outside its range.
 * Values keep their scale and may slightly exceed the input's peak.
 */
export function resample(input: Int16Array, fromHz: number, toHz: number): Float32Array {
  if (fromHz === toHz) return Float32Array.from(input);
  const { up, down, phases } = kernelFor(fromHz, toHz);
  const half = TAPS_PER_PHASE / 2;
  const padded = new Float64Array(input.length + TAPS_PER_PHASE);
  padded.set(input, half);
  const output = new Float32Array(Math.ceil((input.length * up) / down));
  for (let n = 0; n < output.length; n++) {
    const position = n * down;
    const start = Math.floor(position / up) + 1;
    const taps = phases[position % up]!;
    let sum = 0;
    for (let k = 0; k < TAPS_PER_PHASE; k++) sum += taps[k]! * padded[start + k]!;
    output[n] = sum;
  }
  return output;
}

function kernelFor(fromHz: number, toHz: number): Kernel {
  const key = `${fromHz}:${toHz}`;
  let kernel = kernels.get(key);
  if (!kernel) {
    kernel = designKernel(fromHz, toHz);
    kernels.set(key, kernel);
  }
  return kernel;
}

function designKernel(fromHz: number, toHz: number): Kernel {
  const divisor = greatestCommonDivisor(fromHz, toHz);
  const up = toHz / divisor;
  const cutoff = (CUTOFF * Math.min(fromHz, toHz)) / fromHz;
  const half = TAPS_PER_PHASE / 2;
  const phases = Array.from({ length: up }, (_, phase) => {
    // Tap k applies to the input sample that is k + 1 - half - phase / up samples after the output sample.
    const taps = Float64Array.from({ length: TAPS_PER_PHASE }, (_unused, k) => {
      const distance = k + 1 - half - phase / up;
      return sinc(cutoff * distance) * kaiser(distance / half);
    });
    const gain = taps.reduce((sum, tap) => sum + tap, 0);
    return taps.map((tap) => tap / gain);
  });
  return { up, down: fromHz / divisor, phases };
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

function kaiser(x: number): number {
  return Math.abs(x) > 1 ? 0 : besselI0(KAISER_BETA * Math.sqrt(1 - x * x)) / besselI0(KAISER_BETA);
}

function besselI0(x: number): number {
  let sum = 1;
  let term = 1;
  for (let k = 1; term > sum * 1e-12; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
