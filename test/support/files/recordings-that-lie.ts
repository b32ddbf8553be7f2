import { aWav, WAV_BYTES_PER_SECOND } from './recordings.js';

/** Bytes of each recording: 100 seconds at 8 kbit/s. */
const AUDIO_BYTES = 100_000;
const FOUR_GIGAHERTZ = 4_000_000_000;

const repeated = (part: Buffer): Buffer =>
  Buffer.concat(Array.from({ length: Math.ceil(AUDIO_BYTES / part.length) }, () => part));

/** Replaces the sample rate and the byte rate in the header of an aWav recording. */
export function withSampleRate(wav: Buffer, hertz: number): Buffer {
  const changed = Buffer.from(wav);
  changed.writeUInt32LE(hertz, 24);
  changed.writeUInt32LE(hertz, 28);
  return changed;
}

/** Replaces the format in the header of an aWav recording. */
export function withFormat(wav: Buffer, format: number): Buffer {
  const changed = Buffer.from(wav);
  changed.writeUInt16LE(format, 20);
  return changed;
}

/** Inserts an empty chunk before the format of an aWav recording. */
export const withChunkBeforeFormat = (wav: Buffer): Buffer =>
  Buffer.concat([wav.subarray(0, 12), Buffer.from('JUNK\0\0\0\0', 'latin1'), wav.subarray(12)]);

export const aFastWav = (): Buffer => withSampleRate(aWav(AUDIO_BYTES / WAV_BYTES_PER_SECOND), FOUR_GIGAHERTZ);

/** MPEG-1 layer III, 128 kbit/s, 44.1 kHz: 417 bytes for 26.1 ms. */
export const MP3_FRAME = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0xc0]), Buffer.alloc(413, 0x55)]);

/** An MP3 whose Xing header claims ten frames. */
export function anMp3OfTenFrames(): Buffer {
  const xing = Buffer.from(MP3_FRAME).fill(0, 4);
  xing.write('Xing', 21, 'latin1');
  xing.writeUInt32BE(1, 25);
  xing.writeUInt32BE(10, 29);
  return Buffer.concat([xing, repeated(MP3_FRAME)]);
}

/** An Ogg page with packets of less than 255 bytes each. */
export function oggPage(packets: readonly Buffer[], granule: bigint, flags = 0): Buffer {
  const header = Buffer.alloc(27);
  header.write('OggS', 'latin1');
  header[5] = flags;
  header.writeBigInt64LE(granule, 6);
  header.writeUInt32LE(7, 14);
  header[26] = packets.length;
  return Buffer.concat([header, Buffer.from(packets.map(({ length }) => length)), ...packets]);
}

/** 20 ms of Opus. */
export const OPUS_PACKET = Buffer.concat([Buffer.from([0x78]), Buffer.alloc(39)]);

/** Opus whose pages all claim to end at 0.1 s. */
export function anOggThatEndsAtOnce(): Buffer {
  const head = Buffer.from('OpusHead\x01\x01\x00\x00\x80\xbb\x00\x00\x00\x00\x00', 'latin1');
  const tags = Buffer.from('OpusTags\x00\x00\x00\x00\x00\x00\x00\x00', 'latin1');
  const audio = oggPage(
    Array.from({ length: 50 }, () => OPUS_PACKET),
    4_800n,
  );
  return Buffer.concat([oggPage([head], 0n, 2), oggPage([tags], 0n), repeated(audio)]);
}

/** An EBML element with a size of eight bytes. */
export function element(id: number, ...parts: Buffer[]): Buffer {
  const data = Buffer.concat(parts);
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(BigInt(data.length) | (1n << 56n));
  const idText = id.toString(16);
  return Buffer.concat([Buffer.from(idText.padStart(idText.length + (idText.length % 2), '0'), 'hex'), size, data]);
}

/** Opus whose blocks all have the time 0, in a segment of 0.1 s. */
export function aMatroskaAtOneTime(codec = 'A_OPUS'): Buffer {
  const duration = Buffer.alloc(8);
  duration.writeDoubleBE(100);
  const track = element(
    0xae,
    element(0xd7, Buffer.from([1])),
    element(0x83, Buffer.from([2])),
    element(0x86, Buffer.from(codec)),
  );
  const block = element(0xa3, Buffer.from([0x81, 0, 0, 0x80]), OPUS_PACKET);
  return Buffer.concat([
    element(0x1a45dfa3, element(0x4282, Buffer.from('webm'))),
    element(
      0x18538067,
      element(0x1549a966, element(0x4489, duration)),
      element(0x1654ae6b, track),
      element(0x1f43b675, element(0xe7, Buffer.from([0])), repeated(block)),
    ),
  ]);
}

/** The header of a FLAC frame: 4,096 samples, the sample rate of the stream, frame number 0, and a checksum. */
export const FLAC_FRAME_HEADER = Buffer.from([0xff, 0xf8, 0xc0, 0x08, 0x00, 0xaf]);

/** FLAC at 16 kHz whose header claims 1,600 samples. */
export function aFlacOfATenth(): Buffer {
  const info = Buffer.alloc(42);
  info.write('fLaC', 'latin1');
  info.writeUInt32BE(0x80000022, 4);
  info.writeUInt16BE(4_096, 8);
  info.writeUInt16BE(4_096, 10);
  info.writeBigUInt64BE((16_000n << 44n) | (15n << 36n) | 1_600n, 18);
  return Buffer.concat([info, repeated(Buffer.concat([FLAC_FRAME_HEADER, Buffer.alloc(1_000, 0x11)]))]);
}

/** An MP4 box. */
export function box(type: string, ...parts: Buffer[]): Buffer {
  const data = Buffer.concat(parts);
  const header = Buffer.alloc(8);
  header.writeUInt32BE(data.length + 8);
  header.write(type, 4, 'latin1');
  return Buffer.concat([header, data]);
}

const words = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeUInt32BE(value, index * 4));
  return bytes;
};

/** AAC at 16 kHz in samples of 200 bytes. Its time tables claim that a thousand samples last one second. */
export function anMp4OfShortSamples(...edits: readonly (readonly [duration: number, from: number])[]): Buffer {
  const audio = repeated(Buffer.alloc(200, 0x21));
  const samples = audio.length / 200;
  const config = [Buffer.from([0x40, 0x15]), Buffer.alloc(11), Buffer.from([5, 2, 0x14, 0x08])];
  const esds = Buffer.concat([words(0), Buffer.from([3, 22, 0, 0, 0, 4, 17]), ...config]);
  const entry = box('mp4a', Buffer.alloc(28), box('esds', esds));
  const table = box(
    'stbl',
    box('stsd', words(0, 1), entry),
    box('stts', words(0, 1, samples, 1)),
    box('stsz', words(0, 200, samples)),
    box('stsc', words(0, 1, 1, samples, 1)),
    box('stco', words(0, 1, 24)),
  );
  const media = box(
    'mdia',
    box('mdhd', words(0, 0, 0, 1_000_000, samples), Buffer.alloc(4)),
    box('hdlr', words(0, 0), Buffer.from('soun'), Buffer.alloc(13)),
    box('minf', table),
  );
  const entries = edits.flatMap(([duration, from]) => [duration, from >>> 0, 0x1_0000]);
  const editList = edits.length > 0 ? [box('edts', box('elst', words(0, edits.length, ...entries)))] : [];
  return Buffer.concat([
    box('ftyp', Buffer.from('M4A \0\0\0\0', 'latin1')),
    box('mdat', audio),
    box('moov', box('trak', box('tkhd', words(0, 0, 0, 1, 0)), ...editList, media)),
  ]);
}

/** AAC in ADTS at 8 kHz, in frames of 200 bytes for 128 ms. ADTS has no header that contains the duration. */
export const ADTS_FRAME = Buffer.concat([
  Buffer.from([0xff, 0xf1, 0x6c, 0x40, (200 >> 3) & 0xff, (200 & 7) << 5, 0xfc]),
  Buffer.alloc(193),
]);

export const aLongAdts = (): Buffer => repeated(ADTS_FRAME);
