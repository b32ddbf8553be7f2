// Node loads this file directly: the compiled .js in dist, or the .ts under Jest. Therefore only erasable syntax is
// allowed.
import { parentPort } from 'node:worker_threads';
import { parseBuffer } from 'music-metadata';
import { countSeconds } from './counted-seconds.ts';
import { containerOf, maxSeconds } from '../../formats/media/recording-container.ts';

/** Reads all frames if the container does not state its duration; skips pictures. */
const OPTIONS = { duration: true, skipCovers: true };

parentPort!.on('message', (bytes: Uint8Array) => {
  const counted = countSeconds(bytes) ?? maxSeconds(bytes.length, containerOf(bytes));
  void parseBuffer(bytes, undefined, OPTIONS)
    .then(({ format: { duration = 0 } }) => (duration > counted ? duration : counted))
    // The duration in the container's header can only increase the counted one.
    .catch(() => counted)
    .then((result) => parentPort!.postMessage({ ok: true, result }, []));
});
