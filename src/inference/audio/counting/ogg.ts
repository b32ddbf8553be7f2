import { opusPacketSeconds } from './opus-packet.ts';

const PAGE_HEADER_BYTES = 27;
const CONTINUED = 1;
const FIRST_PAGE = 2;
const MAX_LACING = 255;
const MAX_STREAMS = 16;
const MIN_SAMPLE_RATE = 8_000;

interface OggStream {
  /** The number of remaining header packets before the audio. */
  headersLeft: number;
  /** Whether the last packet that was read continues on the next page of the stream. */
  isOpen: boolean;
  readonly secondsOf: (first: number | undefined, second: number | undefined) => number;
}

/** The seconds of the Opus and Vorbis packets. Undefined for other codecs, and if the pages are not in order. */
export function oggSeconds(bytes: Buffer): number | undefined {
  const streams = new Map<number, OggStream>();
  let seconds = 0;
  for (let at = 0; at < bytes.length;) {
    if (bytes.length - at < PAGE_HEADER_BYTES || bytes.toString('latin1', at, at + 4) !== 'OggS') return undefined;
    const flags = bytes[at + 5]!;
    const serial = bytes.readUInt32LE(at + 14);
    const lacing = bytes.subarray(at + PAGE_HEADER_BYTES, at + PAGE_HEADER_BYTES + bytes[at + 26]!);
    let packetAt = at + PAGE_HEADER_BYTES + lacing.length;
    if ((flags & FIRST_PAGE) !== 0) {
      const stream = streamOf(bytes.subarray(packetAt));
      if (!stream || streams.size >= MAX_STREAMS) return undefined;
      streams.set(serial, stream);
    }
    const stream = streams.get(serial);
    if (!stream || stream.isOpen !== ((flags & CONTINUED) !== 0)) return undefined;
    for (const length of lacing) {
      if (!stream.isOpen) {
        if (stream.headersLeft > 0) stream.headersLeft--;
        else
          seconds +=
            length === 0
              ? stream.secondsOf(undefined, undefined)
              : stream.secondsOf(bytes[packetAt], bytes[packetAt + 1]);
      }
      stream.isOpen = length === MAX_LACING;
      packetAt += length;
    }
    at = packetAt;
  }
  return seconds;
}

function streamOf(packet: Buffer): OggStream | undefined {
  const startsWith = (mark: string): boolean => packet.toString('latin1', 0, mark.length) === mark;
  if (startsWith('OpusHead')) return { headersLeft: 2, isOpen: false, secondsOf: opusPacketSeconds };
  if (!startsWith('\x01vorbis') || packet.length < 29) return undefined;
  const rate = packet.readUInt32LE(12);
  if (rate < MIN_SAMPLE_RATE) return undefined;
  // The maximum duration of a packet is half of a long window, because the windows overlap by half.
  const longest = 2 ** (packet[28]! >> 4) / 2 / rate;
  return { headersLeft: 3, isOpen: false, secondsOf: () => longest };
}
