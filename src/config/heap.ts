import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Behind the first probes of readiness, which the collection would delay. */
const COLLECTED_AFTER_MS = 2_000;

/** How much the heap may grow beyond its live size until a full collection. */
const GROWTH_PERCENT = 150;
/** Several processes share the memory of one. */
const WORKER_GROWTH_PERCENT = 100;

/** How the heap of a process that serves calls grows. Call it before the modules of the service are loaded. */
export function setHeapFlags({ isWorker = false } = {}): void {
  // By default V8 collects its whole heap after every 64 MiB of buffers, which pictures reach several times a second.
  // Counted towards the heap's own limits, they cost a third of the time (docs/performance.md).
  setFlagsFromString('--external-memory-accounted-in-global-limit');
  // Let the heap grow to two and a half times its live size before a full collection, V8's own choice being one and a
  // half under load. Young collections free most of a call's objects, and a full one occupies both processors for
  // about 40 ms. More growth costs memory and saves nothing (docs/performance.md).
  setFlagsFromString(`--heap-growing-percent=${isWorker ? WORKER_GROWTH_PERCENT : GROWTH_PERCENT}`);
}

/**
 * Collects the garbage of the start and returns its memory, about 100 MB. By itself V8 would keep it: its young
 * generation has grown to the flag of `npm start`, and only `last-resort` shrinks it again.
 */
export function collectGarbageSoon(): void {
  setTimeout(() => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as (options: NodeJS.GCOptions) => void;
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  }, COLLECTED_AFTER_MS).unref();
}
