import { prepareCompiledCode } from './config/compiled-code.js';

// Call this before the modules of the service are loaded.
prepareCompiledCode();
const { start } = await import('./start.js');
await start();
