import { Worker } from 'node:worker_threads';
import { aWav, notAudio } from '../../../test/support/files/recordings.js';
import { withFormat } from '../../../test/support/files/recordings-that-lie.js';
import { AudioDurations } from './audio-durations.js';

/** Starts a thread that runs the script for each message. */
const threadOf =
  (script: string): (() => Worker) =>
  () =>
    new Worker(`const { parentPort } = require('node:worker_threads'); parentPort.on('message', () => { ${script} })`, {
      eval: true,
    });
const replying = (result: string): (() => Worker) =>
  threadOf(`parentPort.postMessage({ ok: true, result: ${result} })`);
/** Blocks its thread without CPU time. worker-pool.spec.ts has a thread in an endless loop. */
const hanging = threadOf('Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);');
const { signal } = new AbortController();
const THREE_SECONDS = notAudio(3_000);

describe('the duration of a recording', () => {
  const open: AudioDurations[] = [];
  const durations = (options?: ConstructorParameters<typeof AudioDurations>[0]): AudioDurations => {
    const opened = new AudioDurations(options);
    open.push(opened);
    return opened;
  };
  afterEach(() => Promise.all(open.splice(0).map((each) => each.onApplicationShutdown())));

  it('is the duration that the container states', async () => {
    expect(await durations().of(aWav(1.5), signal)).toBeCloseTo(1.5, 6);
  });

  it.each([
    ['is no audio', notAudio(2_500)],
    ['is cut within its header', aWav(2).subarray(0, 30)],
    ['is a single byte', Buffer.from([0])],
  ])('is bytes ÷ 1000 if the file %s', async (_, recording) => {
    expect(await durations().of(recording, signal)).toBe(recording.length / 1_000);
  });

  it('is bytes ÷ 250 for a WAV of a codec whose frames are not counted', async () => {
    const speex = withFormat(aWav(1), 0xa109);
    expect(await durations().of(speex, signal)).toBe(speex.length / 250);
  });

  it.each([['undefined'], ['0'], ['-1'], ['NaN'], ['Infinity'], ['1000000001'], ['"5"']])(
    'is bytes ÷ 1000 if the container states %s',
    async (result) => {
      expect(await durations({ start: replying(result) }).of(THREE_SECONDS, signal)).toBe(3);
    },
  );

  it('may be the longest duration that can be recorded exactly', async () => {
    expect(await durations({ start: replying('1000000000') }).of(THREE_SECONDS, signal)).toBe(1_000_000_000);
  });

  it('is bytes ÷ 1000 if reading does not end, and the next file is read', async () => {
    let starts = 0;
    const start = (): Worker => (starts++ === 0 ? hanging() : replying('7')());
    const opened = durations({ start, budgetMs: 3_000 });
    expect(await opened.of(THREE_SECONDS, signal)).toBe(3);
    expect(await opened.of(THREE_SECONDS, signal)).toBe(7);
  });

  it('is bytes ÷ 1000 if the thread ends', async () => {
    expect(await durations({ start: threadOf('process.exit(1)') }).of(THREE_SECONDS, signal)).toBe(3);
  });

  it('is bytes ÷ 1000 for files that wait too long', async () => {
    const slow = durations({ start: hanging, budgetMs: 60_000, timeoutMs: 100 });
    expect(await Promise.all([slow.of(THREE_SECONDS, signal), slow.of(notAudio(1_000), signal)])).toEqual([3, 1]);
  });

  it('is no longer awaited if the caller disconnects', async () => {
    const leaving = new AbortController();
    const reading = durations({ start: threadOf('') }).of(THREE_SECONDS, leaving.signal);
    leaving.abort();
    await expect(reading).rejects.toMatchObject({ kind: 'caller_gone' });
  });
});
