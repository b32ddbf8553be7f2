import { mp3Frames, mp3Seconds } from './mp3-frames.js';

/** MPEG-2 Layer III, 64 kbit/s, 24 kHz, mono: 192 bytes, 24 ms. */
const frame = (): Buffer => Buffer.concat([Buffer.from('fff384c0', 'hex'), Buffer.alloc(188)]);

describe('mp3Frames', () => {
  it('reads the values in the header of each frame', () => {
    const frames = mp3Frames(Buffer.concat([frame(), frame()]));
    expect(frames).toEqual([
      { offset: 0, bytes: 192, bitrate: 64_000, sampleRate: 24_000, channels: 1, samples: 576 },
      { offset: 192, bytes: 192, bitrate: 64_000, sampleRate: 24_000, channels: 1, samples: 576 },
    ]);
    expect(mp3Seconds(frames)).toBeCloseTo(0.048);
  });

  it('reads stereo frames of MPEG-1 with padding', () => {
    const stream = Buffer.concat([Buffer.from('fffb9200', 'hex'), Buffer.alloc(414)]);
    expect(mp3Frames(stream)).toEqual([
      { offset: 0, bytes: 418, bitrate: 128_000, sampleRate: 44_100, channels: 2, samples: 1152 },
    ]);
  });

  it.each([
    ['garbage before the first frame', Buffer.concat([Buffer.from([0]), frame()])],
    ['garbage between frames', Buffer.concat([frame(), Buffer.from([0]), frame()])],
    ['a last frame that is cut short', Buffer.concat([frame(), frame().subarray(0, 100)])],
    ['a lone sync byte at the end', Buffer.concat([frame(), Buffer.from([0xff])])],
    ['a RIFF file', Buffer.from('RIFF....WAVEfmt ')],
    ['another layer', Buffer.concat([Buffer.from('fffd84c0', 'hex'), Buffer.alloc(188)])],
  ])('refuses a stream with %s', (_name, stream) => {
    expect(() => mp3Frames(stream)).toThrow(/at byte \d+/);
  });
});
