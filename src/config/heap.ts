import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The delay of the collection in milliseconds. An earlier collection would delay the first readiness probes. */
const COLLECTED_AFTER_MS = 2_000;

/** How much the heap may grow beyond its live size before a full collection, in percent. */
const GROWTH_PERCENT = 150;
/** GROWTH_PERCENT of workers. It is lower, because several processes share the memory. */
const WORKER_GROWTH_PERCENT = 100;

/** Sets how the heap of a process that serves calls grows. Call it before the modules of the service are loaded. */
export function setHeapFlags({ isWorker = false } = {}): void {
  // By default, V8 collects its whole heap after every 64 MiB of new buffers. Calls with pictures allocate 64 MiB
  // several times a second. Counting buffers towards the heap's limits instead saves a third of the time
  // (docs/performance.md).
  setFlagsFromString('--external-memory-accounted-in-global-limit');
  // Let the heap grow to two and a half times its live size before a full collection, or to twice its live size in a
  // worker. Under load, V8 would choose one and a half times. Collections of the young generation free most objects of
  // a call, but a full collection occupies both processors for about 40 ms. More growth would use more memory and save
  // no time (docs/performance.md).
  setFlagsFromString(`--heap-growing-percent=${isWorker ? WORKER_GROWTH_PERCENT : GROWTH_PERCENT}`);
}

/**
 * Collects the garbage of the start and returns about 100 MB of memory to the system. V8 would keep this memory,
 * because its young generation has grown to the limit that `npm start` sets. Only a `last-resort` collection shrinks
 * the young generation.
 */
export function collectGarbageSoon(): void {
  setTimeout(() => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as (options: NodeJS.GCOptions) => void;
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  }, COLLECTED_AFTER_MS).unref();
}
