/** Maximum duration of a packet. An empty packet has this duration, because decoders fill lost packets with audio. */
export const MAX_PACKET_SECONDS = 0.12;
const SILK_MS = [10, 20, 40, 60];
const HYBRID_MS = [10, 20];
const CELT_MS = [2.5, 5, 10, 20];

/** The seconds of an Opus packet by its first two bytes. */
export function opusPacketSeconds(first: number | undefined, second: number | undefined): number {
  if (first === undefined) return MAX_PACKET_SECONDS;
  const config = first >> 3;
  const ms = config < 12 ? SILK_MS[config & 3]! : config < 16 ? HYBRID_MS[config & 1]! : CELT_MS[config & 3]!;
  const code = first & 3;
  const frames = code === 0 ? 1 : code < 3 ? 2 : (second ?? 0xff) & 0x3f;
  return Math.min((ms * frames) / 1_000, MAX_PACKET_SECONDS);
}
