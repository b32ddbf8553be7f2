import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { mp3Frames, mp3Seconds } from '../../../../test/support/files/mp3-frames.js';
import {
  clipped,
  collect,
  loudness,
  offset,
  pitch,
  samplesOf,
  seconds,
} from '../../../../test/support/money/speech-measures.js';
import type { SpeechCall } from '../../ports/speech-adapter.port.js';
import { FliteSpeechAdapter } from './flite-speech.adapter.js';
import { startSynthesiser } from '@gatehouse/builtin-models';

const SENTENCE = 'The quick brown fox jumps over the lazy dog, and then it goes home.';
const STORY =
  'When the long evening came at last over the hills, and the lamps were lit one after the other, ' +
  'everybody went home. ' +
  `Dr. Smith paid €5. “Really?” he asked. ${'It was late, and nobody answered him for a good while. '.repeat(2)}`;
const MANY = Array.from({ length: 12 }, (_, n) => `This is the sentence number ${n} of a rather long text.`).join(' ');
/** Blocks its thread without CPU time. worker-pool.spec.ts has a thread in an endless loop. */
const HANGING = `require('node:worker_threads').parentPort.on('message', () =>
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));`;

const call = (of: Partial<SpeechCall>): SpeechCall => ({
  upstreamModel: 'flite',
  provider: 'builtin',
  credential: null,
  options: {},
  signal: new AbortController().signal,
  input: SENTENCE,
  // The voice that takes the least CPU time.
  voice: 'kal16',
  format: 'pcm',
  ...of,
});

const fingerprint = (audio: Uint8Array): string => createHash('sha256').update(audio).digest('hex');

describe('built-in speech', () => {
  const workers: Worker[] = [];
  let spoken = 0;
  const realWorker = startSynthesiser;
  const observed = async (): Promise<Worker> => {
    const worker = await realWorker();
    worker.on('message', () => spoken++);
    workers.push(worker);
    return worker;
  };
  const adapters: FliteSpeechAdapter[] = [];
  const anAdapter = (options: ConstructorParameters<typeof FliteSpeechAdapter>[0] = {}): FliteSpeechAdapter => {
    const adapter = new FliteSpeechAdapter({ threads: 1, startSynthesiser: observed, ...options });
    adapters.push(adapter);
    return adapter;
  };
  const speak = async (of: Partial<SpeechCall>): Promise<Buffer> => collect((await shared.speak(call(of))).audio);

  const shared = anAdapter({ threads: 2 });
  beforeEach(() => {
    workers.length = 0;
    spoken = 0;
  });
  afterAll(async () => {
    await Promise.all(adapters.map((adapter) => adapter.close()));
  });

  it('returns PCM whose length is in proportion to the text', async () => {
    const [once, thrice] = [await speak({}), await speak({ input: Array(3).fill(SENTENCE).join(' ') })];
    const wordsPerSecond = SENTENCE.split(' ').length / seconds(once);
    expect(wordsPerSecond).toBeGreaterThan(2);
    expect(wordsPerSecond).toBeLessThan(5);
    expect(seconds(thrice) / seconds(once)).toBeCloseTo(3, 0);
  });

  it.each([0.25, 0.5, 2, 4])('is spoken at %d times the speed', async (speed) => {
    const [normal, changed] = [await speak({ voice: 'slt' }), await speak({ voice: 'slt', speed })];
    const ratio = seconds(normal) / seconds(changed);
    expect(ratio / speed).toBeGreaterThan(0.85);
    expect(ratio / speed).toBeLessThan(1.15);
  });

  it.each(['slt', 'rms', 'awb', 'kal16'])(
    'sounds like speech in the voice %s: audible, unclipped and centred',
    async (voice) => {
      const samples = samplesOf(await speak({ voice, input: STORY }));
      expect(loudness(samples)).toBeGreaterThan(0.05);
      expect(loudness(samples)).toBeLessThan(0.25);
      expect(clipped(samples)).toBe(0);
      expect(Math.abs(offset(samples))).toBeLessThan(0.01);
      expect([samples[0], samples.at(-1)]).toEqual([0, 0]);
    },
  );

  it('has different voices: of a woman, and of three men', async () => {
    const audio = await Promise.all(['slt', 'rms', 'awb', 'kal16'].map((voice) => speak({ voice })));
    expect(new Set(audio.map(fingerprint)).size).toBe(4);
    const [slt, ...men] = audio.map((pcm) => pitch(samplesOf(pcm)));
    expect(slt).toBeGreaterThan(150);
    for (const man of men) expect(man).toBeLessThan(150);
  });

  it('speaks the same text in the same way, whatever was spoken before', async () => {
    const adapter = anAdapter();
    const once = await collect((await adapter.speak(call({ voice: 'nova' }))).audio);
    await collect((await adapter.speak(call({ voice: 'rms', speed: 0.7 }))).audio);
    expect(fingerprint(await collect((await adapter.speak(call({ voice: 'slt' }))).audio))).toBe(fingerprint(once));
    expect(workers).toHaveLength(1);
  });

  it.each(['slt', 'kal16'])(
    'returns one continuous MP3 stream for all sentences, about as long as the PCM (%s)',
    async (voice) => {
      const [pcm, mp3] = [await speak({ voice, input: STORY }), await speak({ voice, input: STORY, format: 'mp3' })];
      const frames = mp3Frames(mp3);
      expect(new Set(frames.map((frame) => `${frame.sampleRate} ${frame.channels} ${frame.bitrate}`))).toEqual(
        new Set(['24000 1 64000']),
      );
      // One encoder serves all sentences, so its delay and padding of less than five frames occur only once.
      expect(mp3Seconds(frames) - seconds(pcm)).toBeGreaterThanOrEqual(0);
      expect(mp3Seconds(frames) - seconds(pcm)).toBeLessThan(5 * 0.024);
    },
  );

  it('does not mix the MP3 streams of concurrent calls', async () => {
    const alone = await speak({ input: STORY, format: 'mp3' });
    const together = await Promise.all([STORY, MANY, STORY].map((input) => speak({ input, format: 'mp3' })));
    expect(fingerprint(together[0]!)).toBe(fingerprint(alone));
    expect(fingerprint(together[2]!)).toBe(fingerprint(alone));
  });

  it.each(['pcm', 'mp3'] as const)(
    'returns a short silence for a text without a word to pronounce (%s)',
    async (format) => {
      for (const voice of ['slt', 'kal16']) {
        const audio = await speak({ input: '😀 你好', voice, format });
        const length = format === 'pcm' ? seconds(audio) : mp3Seconds(mp3Frames(audio));
        expect(length).toBeGreaterThan(0.1);
        expect(length).toBeLessThan(0.5);
        expect(format === 'mp3' || loudness(samplesOf(audio)) < 0.01).toBe(true);
      }
    },
  );

  it.each([
    ['an unknown voice', { voice: 'kal' }],
    ['an empty input', { input: ' \n' }],
    ['an input longer than the maximum', { input: 'a'.repeat(20_001) }],
    ['an input that would last longer than ten minutes', { input: '7'.repeat(4_000) }],
    [
      'an input that would last longer than ten minutes at the highest speed',
      { input: '7'.repeat(20_000), speed: 1e9 },
    ],
  ])('refuses a call with %s', async (_what, wrong) => {
    await expect(shared.speak(call(wrong))).rejects.toMatchObject({ kind: 'invalid_request' });
  });

  it('synthesises one sentence of a key at a time, so that a thread is free for other keys', async () => {
    const hanging = async (): Promise<Worker> => new Worker(HANGING, { eval: true });
    let started = 0;
    const adapter = anAdapter({ threads: 2, startSynthesiser: () => (started++ === 0 ? hanging() : realWorker()) });
    const leaving = new AbortController();
    const ended: string[] = [];
    const first = adapter.speak(call({ callerKey: 'a', signal: leaving.signal })).catch(() => ended.push('first'));
    const second = adapter.speak(call({ callerKey: 'a' })).then(({ audio }) => (ended.push('second'), collect(audio)));
    expect((await collect((await adapter.speak(call({ callerKey: 'b' }))).audio)).length).toBeGreaterThan(0);
    expect(ended).toEqual([]);
    leaving.abort();
    await Promise.all([first, second]);
    expect(ended).toEqual(['first', 'second']);
  });

  it('synthesises at most one sentence ahead of its reader', async () => {
    const adapter = anAdapter();
    const { audio } = await adapter.speak(call({ input: MANY }));
    const reader = audio[Symbol.asyncIterator]();
    expect((await reader.next()).done).toBe(false);
    // The jobs that the first call has queued are completed before the job of this call.
    await collect((await adapter.speak(call({ input: 'Hi.' }))).audio);
    expect(spoken).toBeLessThanOrEqual(3);
    await reader.return?.();
  });

  it('alternates between calls, sentence by sentence', async () => {
    const adapter = anAdapter();
    const ended: string[] = [];
    const long = adapter
      .speak(call({ input: MANY, format: 'mp3' }))
      .then(({ audio }) => collect(audio))
      .then(() => ended.push('long'));
    const short = adapter
      .speak(call({ input: STORY }))
      .then(({ audio }) => collect(audio))
      .then(() => ended.push('short'));
    await Promise.all([long, short]);
    expect(ended).toEqual(['short', 'long']);
  });

  it('continues if a thread is killed in the middle of a sentence', async () => {
    const adapter = anAdapter();
    const whole = await collect((await adapter.speak(call({ input: MANY }))).audio);
    const again = adapter.speak(call({ input: MANY }));
    await workers[0]!.terminate();
    expect(fingerprint(await collect((await again).audio))).toBe(fingerprint(whole));
    expect(workers).toHaveLength(2);
  });

  it('fails a call if its thread hangs, and replaces the thread', async () => {
    let starts = 0;
    const adapter = anAdapter({
      budgetMs: 3_000,
      startSynthesiser: () => (starts++ === 0 ? Promise.resolve(new Worker(HANGING, { eval: true })) : realWorker()),
    });
    await expect(adapter.speak(call({}))).rejects.toMatchObject({ kind: 'provider_failed' });
    expect(seconds(await collect((await adapter.speak(call({}))).audio))).toBeGreaterThan(1);
  });

  it.each(['pcm', 'mp3'] as const)('stops if the caller disconnects, and serves the next call (%s)', async (format) => {
    const adapter = anAdapter();
    const caller = new AbortController();
    const { audio } = await adapter.speak(call({ input: MANY, signal: caller.signal, format }));
    const reading = (async () => {
      for await (const _ of audio) caller.abort();
    })();
    await expect(reading).rejects.toMatchObject({ kind: 'caller_gone' });
    await expect(adapter.speak(call({ signal: caller.signal }))).rejects.toMatchObject({ kind: 'caller_gone' });
    expect(fingerprint(await collect((await adapter.speak(call({}))).audio))).toBe(fingerprint(await speak({})));
    expect(spoken).toBeLessThan(10);
  });

  it('fails current calls with unavailable when it is closed', async () => {
    const adapter = anAdapter();
    const { audio } = await adapter.speak(call({ input: MANY }));
    await Promise.all([expect(collect(audio)).rejects.toMatchObject({ kind: 'unavailable' }), adapter.close()]);
  });
});
