import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { peak, samplesOf } from '../../../../test/support/money/speech-measures.js';
import { fliteVoice } from './flite-voices.js';
import { startSynthesiser as start, type SynthesisRequest } from '@gatehouse/builtin-models';
import { SpeechThreads } from './speech-threads.js';

const HZ = 24_000;

/** Seconds of silence before and after the sound. */
const silences = (samples: Int16Array): [number, number] => {
  const level = peak(samples) * 32_768 * 0.01;
  const loud = (sample: number): boolean => Math.abs(sample) > level;
  return [samples.findIndex(loud) / HZ, (samples.length - 1 - samples.findLastIndex(loud)) / HZ];
};

describe('the pieces of a response', () => {
  const threads = new SpeechThreads({ threads: 1 });
  afterAll(() => threads.close());

  const synthesise = async (of: Partial<SynthesisRequest>): Promise<Int16Array> => {
    const request = {
      text: 'Abba asked, and all agreed',
      voice: 'slt',
      gain: 1,
      speed: 1,
      trimStart: false,
      trimEnd: false,
    };
    return samplesOf(await threads.synthesis.run({ ...request, ...of }, new AbortController().signal));
  };

  describe.each(['slt', 'rms', 'awb', 'kal16'])('in the voice %s', (name) => {
    const { name: voice, gain } = fliteVoice(name);

    it.each([0.25, 1, 4])(
      'join without a click at speed %d: both edges are at zero, and quiet for 5 ms',
      async (speed) => {
        for (const trimmed of [false, true]) {
          const samples = await synthesise({ voice, gain, speed, trimStart: trimmed, trimEnd: trimmed });
          expect([samples[0], samples.at(-1)]).toEqual([0, 0]);
          expect(peak(samples.subarray(0, HZ * 0.005))).toBeLessThan(0.01);
          expect(peak(samples.subarray(-HZ * 0.005))).toBeLessThan(0.01);
        }
      },
    );

    it('lose no sound and pause for at most 60 ms at an edge inside a sentence', async () => {
      const whole = await synthesise({ voice, gain });
      const cut = await synthesise({ voice, gain, trimStart: true, trimEnd: true });
      const [before, after] = silences(whole);
      const [cutBefore, cutAfter] = silences(cut);
      expect(cutBefore).toBeLessThanOrEqual(0.0601);
      expect(cutAfter).toBeLessThanOrEqual(0.0601);
      expect(cut.length / HZ - cutBefore - cutAfter).toBeCloseTo(whole.length / HZ - before - after, 2);
    });
  });

  it('are clipped to full scale if a gain would exceed it, and do not wrap around', async () => {
    const [plain, loud] = [await synthesise({}), await synthesise({ gain: 100 })];
    expect(peak(loud)).toBe(1);
    expect(plain.findIndex((sample, at) => Math.abs(sample) > 100 && Math.sign(loud[at]!) !== Math.sign(sample))).toBe(
      -1,
    );
  });
});

describe('a synthesis thread', () => {
  it('ends after a text that made its memory large, and a new thread serves the next text', async () => {
    const started: Worker[] = [];
    const startSynthesiser = async (): Promise<Worker> => (started.push(await start()), started.at(-1)!);
    const threads = new SpeechThreads({ threads: 1, startSynthesiser });
    const { signal } = new AbortController();
    const terms = { voice: 'slt', gain: 1, trimStart: false, trimEnd: false };
    const speak = (text: string, speed: number): Promise<Uint8Array> =>
      threads.synthesis.run({ ...terms, text, speed }, signal);
    const before = await speak('Good morning', 1);
    const ended = once(started[0]!, 'exit');
    await speak('WXYZ '.repeat(20), 0.25);
    await ended;
    expect(await speak('Good morning', 1)).toEqual(before);
    expect(started).toHaveLength(2);
    await threads.close();
  });
});

describe('the MP3 encoder', () => {
  it('begins a new stream for a session that was discarded', async () => {
    const threads = new SpeechThreads({ threads: 1 });
    const { signal } = new AbortController();
    const pcm = new Uint8Array(48_000);
    const encode = (last: boolean): Promise<Uint8Array> =>
      threads.mp3.run({ kind: 'encode', session: 1, pcm, last }, signal);
    const first = await encode(false);
    await threads.mp3.run({ kind: 'discard', session: 1 }, signal);
    expect(await encode(false)).toEqual(first);
    await threads.close();
  });
});
