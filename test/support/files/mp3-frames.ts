export interface Mp3Frame {
  readonly offset: number;
  readonly bytes: number;
  /** bit/s */
  readonly bitrate: number;
  /** Hz */
  readonly sampleRate: number;
  readonly channels: 1 | 2;
  /** Samples per channel. */
  readonly samples: number;
}

// ISO 11172-3 and 13818-3, Layer III, by the index in the header; 0 is "free format" and 15 is forbidden.
const KBITS_V1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const KBITS_V2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const HERTZ_V1 = [44_100, 48_000, 32_000];
/** Divisors of the MPEG-1 sample rates, by the version bits of the header; 1 is reserved. */
const RATE_DIVISOR = [4, undefined, 2, 1];

/**
 * Parses an MPEG audio Layer III stream from its first byte to its last. Each frame must start where the previous one
 * ends. Throws for a byte that does not start a frame header, for tags, and for an incomplete last frame.
 */
export function mp3Frames(stream: Uint8Array): Mp3Frame[] {
  const frames: Mp3Frame[] = [];
  for (let offset = 0; offset < stream.length; offset += frames.at(-1)!.bytes) {
    const frame = frameAt(stream, offset);
    if (offset + frame.bytes > stream.length) throw new Error(`a frame is cut short at byte ${offset}`);
    frames.push(frame);
  }
  return frames;
}

export function mp3Seconds(frames: readonly Mp3Frame[]): number {
  return frames.reduce((seconds, frame) => seconds + frame.samples / frame.sampleRate, 0);
}

function frameAt(stream: Uint8Array, offset: number): Mp3Frame {
  const refuse = (what: string): never => {
    throw new Error(`${what} at byte ${offset}: ${Buffer.from(stream.subarray(offset, offset + 4)).toString('hex')}`);
  };
  const [a = 0, b = 0, c = 0, d = 0] = stream.subarray(offset, offset + 4);
  if (a !== 0xff || (b & 0xe0) !== 0xe0) refuse('no frame sync');
  const divisor = RATE_DIVISOR[(b >> 3) & 3] ?? refuse('a reserved version');
  if (((b >> 1) & 3) !== 1) refuse('a layer other than III');
  const isV1 = divisor === 1;
  const kbits = (isV1 ? KBITS_V1 : KBITS_V2)[c >> 4];
  if (!kbits) return refuse('a free or forbidden bitrate');
  const hertz = HERTZ_V1[(c >> 2) & 3] ?? refuse('a reserved sample rate');
  const sampleRate = hertz / divisor;
  const bitrate = kbits * 1000;
  const samples = isV1 ? 1152 : 576;
  const padding = (c >> 1) & 1;
  const bytes = Math.floor((samples / 8) * (bitrate / sampleRate)) + padding;
  return { offset, bytes, bitrate, sampleRate, channels: d >> 6 === 3 ? 1 : 2, samples };
}
