import { adtsSeconds, mp3Seconds } from './counting/mpeg-frames.ts';
import { flacSeconds } from './counting/flac.ts';
import { matroskaSeconds } from './counting/matroska.ts';
import { mp4Seconds } from './counting/mp4.ts';
import { oggSeconds } from './counting/ogg.ts';
import { wavSeconds } from './counting/wav.ts';
import { containerOf, type RecordingContainer } from '../../formats/media/recording-container.ts';

const COUNTERS: Readonly<Record<RecordingContainer, (bytes: Buffer) => number | undefined>> = {
  adts: adtsSeconds,
  flac: flacSeconds,
  matroska: matroskaSeconds,
  mp3: mp3Seconds,
  mp4: mp4Seconds,
  ogg: oggSeconds,
  pcm_wav: wavSeconds,
  unknown: () => undefined,
  wav: wavSeconds,
};

/**
 * The duration of a recording in seconds, computed from its frames and not from the duration in its header. Undefined
 * if a frame could not be counted. The time is linear in the number of bytes.
 */
export function countSeconds(recording: Uint8Array): number | undefined {
  const bytes = Buffer.from(recording.buffer, recording.byteOffset, recording.byteLength);
  const seconds = COUNTERS[containerOf(bytes)](bytes);
  return seconds !== undefined && seconds > 0 && Number.isFinite(seconds) ? seconds : undefined;
}
