import { prepareCompiledCode } from './config/compiled-code.js';

// Before everything else is loaded.
prepareCompiledCode();
const { runWorker } = await import('./worker.js');
runWorker();
