// Loaded by Node itself, as the compiled .js in dist and as this file under Jest: erasable syntax only.
import { parentPort } from 'node:worker_threads';
import { parseBuffer } from 'music-metadata';
import { countSeconds } from './counted-seconds.ts';
import { containerOf, longestSeconds } from '../../formats/media/recording-container.ts';

/** Reads frames to the end where the container does not say how long it is; pictures are skipped. */
const OPTIONS = { duration: true, skipCovers: true };

parentPort!.on('message', (bytes: Uint8Array) => {
  const counted = countSeconds(bytes) ?? longestSeconds(bytes.length, containerOf(bytes));
  void parseBuffer(bytes, undefined, OPTIONS)
    .then(({ format: { duration = 0 } }) => (duration > counted ? duration : counted))
    // The length that a container claims only adds to what was counted.
    .catch(() => counted)
    .then((result) => parentPort!.postMessage({ ok: true, result }, []));
});
