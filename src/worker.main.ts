import { prepareCompiledCode } from './config/compiled-code.js';
import { setHeapFlags } from './config/heap.js';

// Call this before anything else is loaded.
prepareCompiledCode();
setHeapFlags({ isWorker: true });
const { runWorker } = await import('./worker.js');
runWorker();
