import { MAX_PACKET_SECONDS, opusPacketSeconds } from './opus-packet.ts';

const ID = {
  segment: 0x18538067,
  cluster: 0x1f43b675,
  blockGroup: 0xa0,
  tracks: 0x1654ae6b,
  track: 0xae,
  info: 0x1549a966,
} as const;
/** Elements whose children are read. The end of such an element is ignored, because its size may be unknown. */
const MASTERS: ReadonlySet<number> = new Set(Object.values(ID));
const TRACK_NUMBER = 0xd7;
const TRACK_TYPE = 0x83;
const CODEC = 0x86;
const ENCODINGS = 0x6d80;
const ENCRYPTED_BLOCK = 0xaf;
const SIMPLE_BLOCK = 0xa3;
const BLOCK = 0xa1;
const TIME_SCALE = 0x2ad7b1;
const CLUSTER_TIME = 0xe7;

const AUDIO = 2;
const LACED = 0x06;
const MAX_TRACKS = 64;
const DEFAULT_TIME_SCALE_NS = 1_000_000;

interface Track {
  number: number;
  type: number;
  codec: string;
  isEncoded: boolean;
}

/**
 * The seconds of the Opus packets, or the maximum end of the last block if that is later. Undefined for other codecs.
 */
export function matroskaSeconds(bytes: Buffer): number | undefined {
  const tracks: Track[] = [];
  const time = { scaleNs: DEFAULT_TIME_SCALE_NS, cluster: 0, last: 0 };
  let seconds = 0;
  for (let at = 0; at < bytes.length;) {
    const idBytes = Math.clz32(bytes[at]!) - 23;
    const sizeBytes = Math.clz32(bytes[at + idBytes] ?? 0) - 23;
    const from = at + idBytes + sizeBytes;
    if (idBytes > 4 || sizeBytes > 8 || from > bytes.length) return undefined;
    const id = bytes.readUIntBE(at, idBytes);
    const size = vintAt(bytes, at + idBytes, sizeBytes);
    at = MASTERS.has(id) ? from : from + size;
    const data = bytes.subarray(from, from + size);
    if (id === ID.track) tracks.push({ number: -1, type: 0, codec: '', isEncoded: false });
    else if (id === TIME_SCALE) time.scaleNs = uintOf(data);
    else if (id === CLUSTER_TIME) time.cluster = uintOf(data);
    else if (id === ENCRYPTED_BLOCK) return undefined;
    else if (id === SIMPLE_BLOCK || id === BLOCK) {
      const more = blockSeconds(data, tracks, time);
      if (more === undefined) return undefined;
      seconds += more;
    } else readTrack(id, data, tracks.at(-1));
    if (tracks.length > MAX_TRACKS) return undefined;
  }
  return Math.max(seconds, (time.last * time.scaleNs) / 1e9 + MAX_PACKET_SECONDS);
}

function readTrack(id: number, data: Buffer, track: Track | undefined): void {
  if (!track) return;
  if (id === TRACK_NUMBER) track.number = uintOf(data);
  else if (id === TRACK_TYPE) track.type = uintOf(data);
  else if (id === CODEC) track.codec = data.toString('latin1');
  else if (id === ENCODINGS) track.isEncoded = true;
}

/** The seconds of a block; 0 if it contains no audio, undefined if they cannot be counted. */
function blockSeconds(
  block: Buffer,
  tracks: readonly Track[],
  time: { readonly cluster: number; last: number },
): number | undefined {
  const numberBytes = Math.clz32(block[0] ?? 0) - 23;
  const packetAt = numberBytes + 3;
  if (packetAt > block.length) return undefined;
  const number = vintAt(block, 0, numberBytes);
  const track = tracks.find((candidate) => candidate.number === number);
  if (!track) return undefined;
  if (track.type !== AUDIO) return 0;
  if (track.codec !== 'A_OPUS' || track.isEncoded || (block[packetAt - 1]! & LACED) !== 0) return undefined;
  time.last = Math.max(time.last, time.cluster + block.readInt16BE(numberBytes));
  return opusPacketSeconds(block[packetAt], block[packetAt + 1]);
}

/** A number of variable length, without the marker bit of its length. */
function vintAt(bytes: Buffer, at: number, length: number): number {
  let value = bytes[at]! & (0xff >> length);
  for (let index = 1; index < length; index++) value = value * 256 + bytes[at + index]!;
  return value;
}

const uintOf = (data: Buffer): number => data.subarray(0, 8).reduce((value, byte) => value * 256 + byte, 0);
