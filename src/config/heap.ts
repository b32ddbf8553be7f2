import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Waits until after the first readiness probes, which the collection would delay. */
const COLLECTED_AFTER_MS = 2_000;

/** How much the heap may grow beyond its live size before a full collection. */
const GROWTH_PERCENT = 150;
/** For workers, because several processes share the memory. */
const WORKER_GROWTH_PERCENT = 100;

/** Sets how the heap of a process that serves calls grows. Call it before the modules of the service are loaded. */
export function setHeapFlags({ isWorker = false } = {}): void {
  // By default V8 collects its whole heap after every 64 MiB of buffers. Pictures reach that several times a second.
  // Counting buffers towards the heap's limits instead saves a third of the time (docs/performance.md).
  setFlagsFromString('--external-memory-accounted-in-global-limit');
  // Let the heap grow to two and a half times its live size before a full collection; V8 chooses one and a half under
  // load. Young-generation collections free most of a call's objects, while a full collection occupies both processors
  // for about 40 ms. More growth costs memory and saves no time (docs/performance.md).
  setFlagsFromString(`--heap-growing-percent=${isWorker ? WORKER_GROWTH_PERCENT : GROWTH_PERCENT}`);
}

/**
 * Collects the garbage of the start and returns its memory, about 100 MB. V8 would keep it, because its young
 * generation has grown to the limit set by `npm start`; only `last-resort` shrinks it again.
 */
export function collectGarbageSoon(): void {
  setTimeout(() => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as (options: NodeJS.GCOptions) => void;
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  }, COLLECTED_AFTER_MS).unref();
}
