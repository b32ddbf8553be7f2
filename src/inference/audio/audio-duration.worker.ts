// Loaded by Node itself, as the compiled .js in dist and as this file under Jest: erasable syntax only.
import { parentPort } from 'node:worker_threads';
import { parseBuffer } from 'music-metadata';

/** Reads frames to the end where the container does not say how long it is; pictures are skipped. */
const OPTIONS = { duration: true, skipCovers: true };

parentPort!.on('message', (bytes: Uint8Array) => {
  parseBuffer(bytes, undefined, OPTIONS).then(
    ({ format }) => parentPort!.postMessage({ ok: true, result: format.duration }, []),
    (error: unknown) => parentPort!.postMessage({ ok: false, message: String(error) }, []),
  );
});
