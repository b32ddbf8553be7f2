import { AAC_HERTZ, AAC_SAMPLES } from './mpeg-frames.ts';

const BOX_HEADER_BYTES = 8;
const LARGE_BOX_HEADER_BYTES = 16;
/** Boxes whose children are read. */
const PARENTS: ReadonlySet<string> = new Set(['moov', 'trak', 'edts', 'mdia', 'minf', 'stbl', 'moof', 'traf']);
const MAX_TRACKS = 64;

interface Track {
  id: number;
  isAudio: boolean;
  secondsPerSample: number | undefined;
  timescale: number;
  /** The number of samples: the larger of the numbers in the table of sizes and in the table of times. */
  samples: number;
  fragmentSamples: number;
  /** The duration by the table of times, in seconds. */
  timed: number;
}

/**
 * The seconds of the AAC samples, including fragments. Undefined for other codecs, and if samples may repeat.
 */
export function mp4Seconds(bytes: Buffer): number | undefined {
  const tracks: Track[] = [];
  let fragmentOf: Track | undefined;
  for (let at = 0; at + BOX_HEADER_BYTES <= bytes.length;) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    let size = bytes.readUInt32BE(at);
    const isLarge = size === 1 && at + LARGE_BOX_HEADER_BYTES <= bytes.length;
    if (isLarge) size = Number(bytes.readBigUInt64BE(at + BOX_HEADER_BYTES));
    else if (size === 0) size = bytes.length - at;
    const from = at + (isLarge ? LARGE_BOX_HEADER_BYTES : BOX_HEADER_BYTES);
    if (at + size < from || (at + size > bytes.length && type !== 'mdat')) return undefined;
    const data = bytes.subarray(from, at + size);
    at = PARENTS.has(type) ? from : at + size;
    if (type === 'trak') tracks.push(newTrack());
    else if (type === 'tfhd') fragmentOf = tracks.find(({ id }) => id === uintAt(data, 4));
    else if ((type === 'trun' && !fragmentOf) || (type === 'elst' && mediaEdits(data) > 1)) return undefined;
    else if (type === 'trun') fragmentOf!.fragmentSamples += uintAt(data, 4);
    else readTrack(type, data, tracks.at(-1));
    if (tracks.length > MAX_TRACKS) return undefined;
  }
  const audio = tracks.filter(({ isAudio }) => isAudio);
  const seconds = audio.map(({ samples, fragmentSamples, secondsPerSample = NaN, timed }) =>
    Math.max((samples + fragmentSamples) * secondsPerSample, timed),
  );
  const sum = seconds.reduce((total, each) => total + each, 0);
  return Number.isNaN(sum) ? undefined : sum;
}

const newTrack = (): Track => ({
  id: -1,
  isAudio: false,
  secondsPerSample: undefined,
  timescale: 0,
  samples: 0,
  fragmentSamples: 0,
  timed: 0,
});

function readTrack(type: string, data: Buffer, track: Track | undefined): void {
  if (!track) return;
  const isLong = data[0] === 1;
  if (type === 'tkhd') track.id = uintAt(data, isLong ? 20 : 12);
  else if (type === 'mdhd') track.timescale = uintAt(data, isLong ? 20 : 12);
  else if (type === 'hdlr') track.isAudio = data.toString('latin1', 8, 12) === 'soun';
  else if (type === 'stsd') track.secondsPerSample = secondsPerSampleOf(data);
  else if (type === 'stsz' || type === 'stz2') track.samples = Math.max(track.samples, uintAt(data, 8));
  else if (type === 'stts') readTimes(data, track);
}

/** The number of entries of an edit list that play media. With several of them, samples may be played repeatedly. */
function mediaEdits(list: Buffer): number {
  const [bytes, timeAt] = list[0] === 1 ? [20, 8] : [12, 4];
  let edits = 0;
  // An edit with the time -1 is silence.
  for (let at = 8; at + bytes <= list.length; at += bytes) if (uintAt(list, at + timeAt) !== 0xffff_ffff) edits++;
  return edits;
}

function readTimes(data: Buffer, track: Track): void {
  let [samples, time] = [0, 0];
  for (let at = 8; at + 8 <= data.length; at += 8) {
    samples += data.readUInt32BE(at);
    time += data.readUInt32BE(at) * data.readUInt32BE(at + 4);
  }
  track.timed = time / track.timescale;
  track.samples = Math.max(track.samples, samples);
}

/** Seconds per sample by the sample description, if there is only one and it is AAC. */
function secondsPerSampleOf(descriptions: Buffer): number | undefined {
  if (uintAt(descriptions, 4) !== 1 || descriptions.toString('latin1', 12, 16) !== 'mp4a') return undefined;
  const esds = descriptions.indexOf('esds', 16, 'latin1');
  if (esds < 0) return undefined;
  const decoder = descriptorAt(descriptions, esds + 8, 3, 3);
  const config = decoder === undefined ? undefined : descriptorAt(descriptions, decoder, 4, 13);
  const at = config === undefined ? undefined : descriptorAt(descriptions, config, 5, 0);
  if (at === undefined || at + 2 > descriptions.length) return undefined;
  const bits = descriptions.readUInt16BE(at);
  // The first five bits are the object type (31 = six more bits follow). The next four are the sample rate (15 = an
  // explicit rate follows). Both of these rare forms are unsupported.
  const hertz = bits >> 11 === 31 ? undefined : AAC_HERTZ[(bits >> 7) & 0xf];
  return hertz && AAC_SAMPLES / hertz;
}

/**
 * The offset after the first `fixed` bytes of the contents of the descriptor at `at`; undefined if it has another tag.
 */
function descriptorAt(bytes: Buffer, at: number, tag: number, fixed: number): number | undefined {
  if (bytes[at] !== tag) return undefined;
  let from = at + 1;
  while ((bytes[from] ?? 0) >= 0x80) from++;
  return from + 1 + fixed;
}

const uintAt = (data: Buffer, at: number): number => (at + 4 <= data.length ? data.readUInt32BE(at) : NaN);
