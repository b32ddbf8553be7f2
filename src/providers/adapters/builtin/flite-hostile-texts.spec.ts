import type { Worker } from 'node:worker_threads';
import { hostileTexts } from '../../../../test/support/hostile/hostile-texts.js';
import { mp3Frames } from '../../../../test/support/files/mp3-frames.js';
import { collect, samplesOf } from '../../../../test/support/money/speech-measures.js';
import { FliteSpeechAdapter } from './flite-speech.adapter.js';
import { startSynthesiser } from '@gatehouse/builtin-models';

const VOICES = ['kal16', 'slt', 'rms', 'awb'];
/** Texts with more characters are read by the quickest voice, at the highest speed. */
const LONG = 400;

describe('hostile texts', () => {
  const started: Worker[] = [];
  const exits: number[] = [];
  const start = startSynthesiser;
  const adapter = new FliteSpeechAdapter({
    threads: 2,
    startSynthesiser: async () => {
      const worker = await start();
      worker.once('exit', (code) => exits.push(code));
      started.push(worker);
      return worker;
    },
  });
  const texts = [...hostileTexts()];

  afterAll(() => adapter.close());

  it('are at least two hundred, all different', () => {
    expect(texts.length).toBeGreaterThanOrEqual(200);
    expect(new Set(texts.map(({ text }) => text)).size).toBe(texts.length);
    expect(new Set(texts.map(({ name }) => name)).size).toBe(texts.length);
  });

  it.each(texts.map((hostile, at) => ({ ...hostile, at })))(
    '$name is spoken or refused',
    async ({ text, refused, at }) => {
      const spoken = adapter.speak({
        upstreamModel: 'flite',
        provider: 'builtin',
        credential: null,
        options: {},
        signal: new AbortController().signal,
        input: text,
        ...(text.length > LONG ? { speed: 4 } : {}),
        voice: text.length > LONG ? 'kal16' : VOICES[at % VOICES.length]!,
        format: at % 3 === 0 ? 'mp3' : 'pcm',
      });
      if (refused) {
        await expect(spoken).rejects.toMatchObject({ kind: 'invalid_request' });
        return;
      }
      const audio = await collect((await spoken).audio);
      const units = at % 3 === 0 ? mp3Frames(audio).length : samplesOf(audio).length;
      expect(units).toBeGreaterThan(0);
    },
  );

  it('crash no worker thread', () => {
    expect(exits).toEqual([]);
    expect(started.length).toBeLessThanOrEqual(2);
  });
});
