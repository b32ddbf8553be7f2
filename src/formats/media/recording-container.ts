/**
 * The containers that are detected; all others are `unknown`. `pcm_wav`: a WAV whose format is the first chunk and is a
 * PCM format. `wav`: any other WAV.
 */
export type RecordingContainer = 'adts' | 'flac' | 'matroska' | 'mp3' | 'mp4' | 'ogg' | 'pcm_wav' | 'unknown' | 'wav';

/** Number of bytes that `containerOf` reads. */
const CONTAINER_HEAD_BYTES = 24;
/** The number of base64 characters of these bytes. */
export const CONTAINER_HEAD_CHARACTERS = (CONTAINER_HEAD_BYTES / 3) * 4;
/** PCM, floating point, A-law and µ-law: all samples have the same number of bytes. */
export const PCM_FORMATS: ReadonlySet<number> = new Set([1, 3, 6, 7]);
const WAV_FORMAT_OFFSET = 20;

const EBML_HEADER = Buffer.from([0x1a, 0x45, 0xdf, 0xa3]);
const SYNC = 0xff;
const SYNC_MASK = 0xe0;
/** MPEG layer 0 is reserved; ADTS uses it. */
const LAYER_MASK = 0x06;

/** Detects the container from the first bytes of a recording. */
export function containerOf(head: Uint8Array): RecordingContainer {
  const bytes = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, CONTAINER_HEAD_BYTES));
  const textAt = (from: number, to: number): string => bytes.toString('latin1', from, to);
  if (textAt(0, 4) === 'RIFF' && textAt(8, 12) === 'WAVE')
    return textAt(12, 16) === 'fmt ' && PCM_FORMATS.has(formatOf(bytes)) ? 'pcm_wav' : 'wav';
  if (textAt(0, 4) === 'OggS') return 'ogg';
  if (textAt(0, 4) === 'fLaC') return 'flac';
  if (bytes.subarray(0, 4).equals(EBML_HEADER)) return 'matroska';
  if (textAt(4, 8) === 'ftyp') return 'mp4';
  if (textAt(0, 3) === 'ID3') return 'mp3';
  if (bytes[0] !== SYNC || bytes[1] === undefined || (bytes[1] & SYNC_MASK) !== SYNC_MASK) return 'unknown';
  return (bytes[1] & LAYER_MASK) === 0 ? 'adts' : 'mp3';
}

/** The format of a WAV whose first chunk is the format. */
const formatOf = (wav: Buffer): number => (wav[WAV_FORMAT_OFFSET] ?? 0) + (wav[WAV_FORMAT_OFFSET + 1] ?? 0) * 256;

/** The lowest bit rate of MP3 is 8 kbit/s. */
const MIN_BYTES_PER_SECOND = 1_000;
/** For containers that may contain any codec. The lowest bit rate of Speex is 2.15 kbit/s. */
const MIN_BYTES_PER_SECOND_OF_ANY_CODEC = 250;
const HOLDS_ANY_CODEC: ReadonlySet<RecordingContainer> = new Set(['flac', 'matroska', 'mp4', 'ogg', 'wav']);

/** The maximum duration of this many bytes of a container, in seconds, independent of the duration in its header. */
export function maxSeconds(bytes: number, container: RecordingContainer): number {
  return bytes / (HOLDS_ANY_CODEC.has(container) ? MIN_BYTES_PER_SECOND_OF_ANY_CODEC : MIN_BYTES_PER_SECOND);
}
