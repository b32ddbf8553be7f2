import { PCM_FORMATS } from '../../../formats/media/recording-container.ts';

const CHUNK_HEADER_BYTES = 8;
const FIRST_CHUNK = 12;
const CHUNK_ID = /^[\x20-\x7e]{4}$/;

const EXTENSIBLE = 0xfffe;
const SUB_FORMAT_OFFSET = 24;
const MAX_CHANNELS = 8;
const MAX_SAMPLE_RATE = 192_000;
const MAX_BITS = 64;

/** The seconds of all samples after the header; undefined for formats that recorders do not write. */
export function wavSeconds(bytes: Buffer): number | undefined {
  let bytesPerSecond: number | undefined;
  let audioFrom: number | undefined;
  for (let at = FIRST_CHUNK; at + CHUNK_HEADER_BYTES <= bytes.length;) {
    const id = bytes.toString('latin1', at, at + 4);
    if (!CHUNK_ID.test(id)) return undefined;
    const size = bytes.readUInt32LE(at + 4);
    const from = at + CHUNK_HEADER_BYTES;
    if (id === 'fmt ') bytesPerSecond ??= bytesPerSecondOf(bytes.subarray(from, from + size));
    if (id === 'data') {
      audioFrom ??= from;
      // The size may be 0 if the file was written as a stream.
      if (size === 0) break;
    }
    at = from + size + (size & 1);
  }
  // Count to the end of the file, because decoders that ignore the size of the data read to the end.
  return bytesPerSecond && audioFrom && (bytes.length - audioFrom) / bytesPerSecond;
}

function bytesPerSecondOf(format: Buffer): number | undefined {
  if (format.length < 16) return undefined;
  const tag = format.readUInt16LE(0);
  const channels = format.readUInt16LE(2);
  const sampleRate = format.readUInt32LE(4);
  const byteRate = format.readUInt32LE(8);
  const sampleBytes = format.readUInt16LE(12);
  const bits = format.readUInt16LE(14);
  const isExtensible = tag === EXTENSIBLE && format.length >= SUB_FORMAT_OFFSET + 2;
  const isUsual =
    PCM_FORMATS.has(isExtensible ? format.readUInt16LE(SUB_FORMAT_OFFSET) : tag) &&
    channels >= 1 &&
    channels <= MAX_CHANNELS &&
    sampleRate >= 1 &&
    sampleRate <= MAX_SAMPLE_RATE &&
    bits >= 8 &&
    bits <= MAX_BITS &&
    sampleBytes === (channels * bits) / 8 &&
    byteRate === sampleRate * sampleBytes;
  return isUsual ? byteRate : undefined;
}
