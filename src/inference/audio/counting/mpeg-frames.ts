const KBITS_V1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const KBITS_V2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const HERTZ_V1 = [44_100, 48_000, 32_000];
/** The divisor for the sample rates of MPEG-1, by the value of the version bits. The value 1 is reserved. */
const RATE_DIVISOR = [4, undefined, 2, 1];
const SAMPLES_V1 = 1_152;
const SAMPLES_V2 = 576;
const BYTES_PER_KBIT = 125;

export const AAC_HERTZ = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
];
export const AAC_SAMPLES = 1_024;
const ADTS_HEADER_BYTES = 7;

const ID3_HEADER_BYTES = 10;
const ID3V1_BYTES = 128;
const APE_HEADER_BYTES = 32;

interface Frame {
  readonly bytes: number;
  readonly seconds: number;
}

/** The duration of MPEG layer III frames in seconds. Undefined if a frame has the free format. */
export const mp3Seconds = (bytes: Buffer): number | undefined => secondsOfFrames(bytes, mp3FrameAt);
/** The duration of AAC frames in ADTS, in seconds. */
export const adtsSeconds = (bytes: Buffer): number | undefined => secondsOfFrames(bytes, adtsFrameAt);

/**
 * The duration of all frames in seconds. Undefined if there are bytes between the frames that are neither a tag nor
 * padding. The last frame may be incomplete.
 */
function secondsOfFrames(bytes: Buffer, frameAt: (bytes: Buffer, at: number) => Frame | undefined): number | undefined {
  let seconds = 0;
  for (let at = 0; at < bytes.length;) {
    const frame = frameAt(bytes, at);
    const next = frame ? at + frame.bytes : endOfTag(bytes, at);
    if (next === undefined) return undefined;
    seconds += frame?.seconds ?? 0;
    at = next;
  }
  return seconds;
}

function mp3FrameAt(bytes: Buffer, at: number): Frame | undefined {
  const [sync = 0, version = 0, rates = 0] = [bytes[at], bytes[at + 1], bytes[at + 2]];
  if (sync !== 0xff || (version & 0xe0) !== 0xe0 || ((version >> 1) & 3) !== 1) return undefined;
  const divisor = RATE_DIVISOR[(version >> 3) & 3];
  const kbits = (divisor === 1 ? KBITS_V1 : KBITS_V2)[rates >> 4];
  const hertz = HERTZ_V1[(rates >> 2) & 3];
  if (!divisor || !kbits || !hertz) return undefined;
  const samples = divisor === 1 ? SAMPLES_V1 : SAMPLES_V2;
  // Multiply first, so that whole numbers stay exact.
  const bytesInFrame = Math.floor((samples * divisor * kbits * BYTES_PER_KBIT) / hertz);
  return { bytes: bytesInFrame + ((rates >> 1) & 1), seconds: (samples * divisor) / hertz };
}

function adtsFrameAt(bytes: Buffer, at: number): Frame | undefined {
  if (at + ADTS_HEADER_BYTES > bytes.length) return undefined;
  if (bytes[at] !== 0xff || (bytes[at + 1]! & 0xf6) !== 0xf0) return undefined;
  const hertz = AAC_HERTZ[(bytes[at + 2]! >> 2) & 0xf];
  const length = (bytes.readUIntBE(at + 3, 3) >> 5) & 0x1fff;
  if (!hertz || length < ADTS_HEADER_BYTES) return undefined;
  const blocks = (bytes[at + 6]! & 3) + 1;
  return { bytes: length, seconds: (blocks * AAC_SAMPLES) / hertz };
}

/** The offset after the tag or the zeros that start at `at`; undefined if neither starts there. */
function endOfTag(bytes: Buffer, at: number): number | undefined {
  const startsWith = (mark: string): boolean => bytes.toString('latin1', at, at + mark.length) === mark;
  if (bytes[at] === 0) {
    let end = at;
    while (bytes[end] === 0) end++;
    return end;
  }
  if (startsWith('TAG') && at + ID3V1_BYTES === bytes.length) return bytes.length;
  if (startsWith('APETAGEX') && at + APE_HEADER_BYTES <= bytes.length) {
    const end = at + APE_HEADER_BYTES + bytes.readUInt32LE(at + 12);
    return end <= bytes.length ? end : undefined;
  }
  return startsWith('ID3') ? endOfId3(bytes, at) : undefined;
}

function endOfId3(bytes: Buffer, at: number): number | undefined {
  const [flags, a, b, c, d] = bytes.subarray(at + 5, at + ID3_HEADER_BYTES);
  if (d === undefined || ((a! | b! | c! | d) & 0x80) !== 0) return undefined;
  const footer = (flags! & 0x10) === 0 ? 0 : ID3_HEADER_BYTES;
  const end = at + ID3_HEADER_BYTES + ((a! << 21) | (b! << 14) | (c! << 7) | d) + footer;
  return end < bytes.length ? end : undefined;
}
