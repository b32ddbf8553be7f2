// Node loads this file directly: the compiled .js in dist, or the .ts under Jest. Therefore only erasable syntax is
// allowed.
import { parentPort } from 'node:worker_threads';
import { parseBuffer } from 'music-metadata';
import { countSeconds } from './counted-seconds.ts';
import { containerOf, maxSeconds } from '../../formats/media/recording-container.ts';

/** `duration`: reads all frames if the container does not state the duration. */
const OPTIONS = { duration: true, skipCovers: true };

parentPort!.on('message', (bytes: Uint8Array) => {
  const counted = countSeconds(bytes) ?? maxSeconds(bytes.length, containerOf(bytes));
  void parseBuffer(bytes, undefined, OPTIONS)
    .then(({ format: { duration = 0 } }) => (duration > counted ? duration : counted))
    // If the library fails, the counted duration is used. Otherwise, the longer duration is used.
    .catch(() => counted)
    .then((result) => parentPort!.postMessage({ ok: true, result }, []));
});
