import { prepareCompiledCode } from './config/compiled-code.js';

// Call this before everything else is loaded.
prepareCompiledCode();
const { start } = await import('./start.js');
await start();
