import { aWav, notAudio } from '../../../test/support/files/recordings.js';
import {
  ADTS_FRAME,
  aFlacOfATenth,
  aLongAdts,
  aMatroskaAtOneTime,
  anMp3OfTenFrames,
  anMp4OfShortSamples,
  anOggThatEndsAtOnce,
  element,
  MP3_FRAME,
  oggPage,
  OPUS_PACKET,
  withChunkBeforeFormat,
  withFormat,
  withSampleRate,
} from '../../../test/support/files/recordings-that-lie.js';
import { countSeconds } from './counted-seconds.js';
import { containerOf, maxSeconds } from '../../formats/media/recording-container.js';

const ID3 = Buffer.concat([Buffer.from('ID3\x04\x00\x00\x00\x00\x02\x00', 'latin1'), Buffer.alloc(256, 1)]);
const ID3V1 = Buffer.concat([Buffer.from('TAG'), Buffer.alloc(125, 32)]);
/** The format of G.723.1 in a WAV: 5.3 or 6.3 kbit/s. */
const G723 = 0x42;
const MP3_SECONDS = 1_152 / 44_100;
const frames = (count: number): Buffer => Buffer.concat(Array.from({ length: count }, () => MP3_FRAME));
const webm = aMatroskaAtOneTime();

describe('the seconds of a recording, counted by its frames', () => {
  it.each([
    ['a WAV by its bytes', aWav(1.5), 1.5],
    ['a WAV whose format is not the first chunk', withChunkBeforeFormat(aWav(1.5)), 1.5],
    ['a WAV that was written as a stream', aWav(1.5, 0), 1.5],
    ['an MP3 with ten frames in its Xing header', anMp3OfTenFrames(), 241 * MP3_SECONDS],
    ['an MP3 between its tags', Buffer.concat([ID3, frames(100), Buffer.alloc(50), ID3V1]), 100 * MP3_SECONDS],
    ['an MP3 with a truncated last frame', frames(100).subarray(0, -10), 100 * MP3_SECONDS],
    ['Ogg by its packets of Opus', anOggThatEndsAtOnce(), 49 * 50 * 0.02],
    ['WebM by its packets of Opus', webm, 1_887 * 0.02],
    ['FLAC by the headers of its frames', aFlacOfATenth(), (100 * 4_096) / 16_000],
    ['MP4 by the samples of AAC', anMp4OfShortSamples(), (500 * 1_024) / 16_000],
    ['MP4 with an edit list that delays its samples', anMp4OfShortSamples([100, -1], [100, 0]), (500 * 1_024) / 16_000],
    ['AAC by its frames', aLongAdts(), 500 * 0.128],
  ])('are counted in %s', (_, recording, seconds) => {
    expect(countSeconds(recording)).toBeCloseTo(seconds, 6);
  });

  it.each([
    ['is no audio', notAudio(2_500)],
    ['is empty', Buffer.alloc(0)],
    ['is a WAV with a sample rate that no recorder has', withSampleRate(aWav(1), 4e9)],
    ['is a WAV of another codec', withFormat(aWav(1), G723)],
    ['is a WAV with other data after its samples', aWav(2.5, 0.1)],
    ['is an MP3 with something between its frames', Buffer.concat([frames(3), notAudio(10), frames(3)])],
    ['is an MP3 with a tag that covers all of it', Buffer.concat([ID3.fill(0x7f, 6, 10), frames(3)])],
    ['is an Ogg of another codec', oggPage([Buffer.from('Speex   1.2')], 0n, 2)],
    ['is an Ogg with something between its pages', Buffer.concat([anOggThatEndsAtOnce(), notAudio(30)])],
    ['is a WebM of another codec', aMatroskaAtOneTime('A_VORBIS')],
    [
      'is a WebM with packets in one block',
      Buffer.concat([webm, element(0xa3, Buffer.from([0x81, 0, 0, 0x86]), OPUS_PACKET)]),
    ],
    ['is a FLAC without a frame', aFlacOfATenth().subarray(0, 42)],
    [
      'is a FLAC with a sample rate of 1 Hz',
      Buffer.concat([aFlacOfATenth(), Buffer.from('fff8cd0800000128', 'hex'), Buffer.alloc(9)]),
    ],
    ['is an MP4 with an edit list that repeats its samples', anMp4OfShortSamples([100, 0], [100, 0])],
    ['is an MP4 without samples', anMp4OfShortSamples().subarray(0, 100_000)],
    ['is AAC with something between its frames', Buffer.concat([ADTS_FRAME, notAudio(9), ADTS_FRAME])],
  ])('are not counted if the recording %s', (_, recording) => {
    expect(countSeconds(recording)).toBeUndefined();
  });

  it('cause no error in any truncated or changed file', () => {
    const whole = [
      aWav(0.1),
      frames(9),
      anOggThatEndsAtOnce(),
      webm,
      aFlacOfATenth(),
      anMp4OfShortSamples(),
      aLongAdts(),
    ];
    const countAll = (recording: Buffer): void => {
      const head = recording.subarray(0, 3_000);
      for (let at = 0; at < 400; at++) {
        countSeconds(recording.subarray(0, at));
        for (const value of [0, 1, 0x7f, 0xff]) countSeconds(Buffer.from(head).fill(value, at, at + 1));
      }
    };
    for (const recording of whole) expect(() => countAll(recording)).not.toThrow();
  });
});

describe('the maximum duration of a number of bytes', () => {
  it.each([
    ['unknown', notAudio(4), 1],
    ['pcm_wav', aWav(0.1), 1],
    ['wav', withFormat(aWav(0.1), G723), 4],
    ['wav', withChunkBeforeFormat(aWav(0.1)), 4],
    ['mp3', MP3_FRAME, 1],
    ['mp3', ID3, 1],
    ['adts', ADTS_FRAME, 1],
    ['ogg', anOggThatEndsAtOnce(), 4],
    ['matroska', webm, 4],
    ['flac', aFlacOfATenth(), 4],
    ['mp4', anMp4OfShortSamples(), 4],
  ] as const)('depends on the container %s', (container, recording, seconds) => {
    expect(containerOf(recording)).toBe(container);
    expect(maxSeconds(1_000, container)).toBe(seconds);
  });
});
