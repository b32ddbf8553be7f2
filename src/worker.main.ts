import { prepareCompiledCode } from './config/compiled-code.js';
import { setHeapFlags } from './config/heap.js';

// Before everything else is loaded.
prepareCompiledCode();
setHeapFlags();
const { runWorker } = await import('./worker.js');
runWorker();
