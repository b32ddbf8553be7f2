const BLOCK_HEADER_BYTES = 4;
const STREAM_INFO_BYTES = 34;
const MIN_HEADER_BYTES = 6;
const MIN_SAMPLE_RATE = 8_000;
/**
 * Sample rates by the code in the frame header. 0 = the rate of the stream; undefined = the header contains the rate.
 */
const HERTZ = [
  0,
  88_200,
  176_400,
  192_000,
  8_000,
  16_000,
  22_050,
  24_000,
  32_000,
  44_100,
  48_000,
  96_000,
  undefined,
  undefined,
  undefined,
  undefined,
];

const CRC8 = Uint8Array.from({ length: 256 }, (_, value) => {
  let crc = value;
  for (let bit = 0; bit < 8; bit++) crc = (crc << 1) ^ ((crc & 0x80) === 0 ? 0 : 0x107);
  return crc;
});

/**
 * Adds up the seconds of every frame header with a correct checksum. Frames have no end mark, so audio data may look
 * like a header, and the result may be higher than the true duration. Undefined if the first frame is missing, or if a
 * sample rate is unusually low.
 */
export function flacSeconds(bytes: Buffer): number | undefined {
  const audioFrom = endOfMetadata(bytes);
  if (audioFrom === undefined) return undefined;
  const streamRate = bytes.readUIntBE(BLOCK_HEADER_BYTES * 2 + 10, 3) >> 4;
  if (streamRate < MIN_SAMPLE_RATE) return undefined;
  let seconds = secondsAt(bytes, audioFrom, streamRate);
  if (!seconds) return undefined;
  for (let at = bytes.indexOf(0xff, audioFrom + 1); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const more = secondsAt(bytes, at, streamRate);
    if (more === undefined) continue;
    if (more === Infinity) return undefined;
    seconds += more;
  }
  return seconds;
}

function endOfMetadata(bytes: Buffer): number | undefined {
  if (bytes.length < BLOCK_HEADER_BYTES * 2 + STREAM_INFO_BYTES || (bytes[BLOCK_HEADER_BYTES]! & 0x7f) !== 0)
    return undefined;
  for (let at = BLOCK_HEADER_BYTES; at + BLOCK_HEADER_BYTES <= bytes.length;) {
    const isLast = (bytes[at]! & 0x80) !== 0;
    at += BLOCK_HEADER_BYTES + bytes.readUIntBE(at + 1, 3);
    if (isLast) return at;
  }
  return undefined;
}

/**
 * The seconds of the frame whose header starts at `at`. Undefined if no header starts there; Infinity if the sample
 * rate is unusually low.
 */
function secondsAt(bytes: Buffer, at: number, streamRate: number): number | undefined {
  if (at + MIN_HEADER_BYTES > bytes.length || bytes[at] !== 0xff || (bytes[at + 1]! & 0xfe) !== 0xf8) return undefined;
  const [sizeCode, rateCode] = [bytes[at + 2]! >> 4, bytes[at + 2]! & 0xf];
  if (sizeCode === 0 || rateCode === 0xf || (bytes[at + 3]! & 1) !== 0) return undefined;
  let end = at + 4 + numberBytes(bytes[at + 4]!);
  const sizeBytes = sizeCode === 6 ? 1 : sizeCode === 7 ? 2 : 0;
  const rateBytes = rateCode === 12 ? 1 : rateCode > 12 ? 2 : 0;
  if (end + sizeBytes + rateBytes >= bytes.length) return undefined;
  const samples = sizeBytes ? bytes.readUIntBE(end, sizeBytes) + 1 : blockSize(sizeCode);
  end += sizeBytes;
  const explicit = rateBytes
    ? bytes.readUIntBE(end, rateBytes) * (rateCode === 12 ? 1_000 : rateCode === 14 ? 10 : 1)
    : 0;
  end += rateBytes;
  let crc = 0;
  for (let index = at; index < end; index++) crc = CRC8[crc ^ bytes[index]!]!;
  if (crc !== bytes[end]) return undefined;
  const rate = HERTZ[rateCode] ?? explicit;
  if (rateBytes && rate < MIN_SAMPLE_RATE) return Infinity;
  return samples / (rate || streamRate);
}

const blockSize = (code: number): number => (code === 1 ? 192 : code < 6 ? 576 << (code - 2) : 256 << (code - 8));

/** The number of bytes of a number that is coded like a character in UTF-8, by its first byte. */
const numberBytes = (first: number): number => (first < 0x80 ? 1 : Math.max(1, Math.clz32(~(first << 24))));
