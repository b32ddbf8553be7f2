import { prepareCompiledCode } from './config/compiled-code.js';

// Before everything else is loaded.
prepareCompiledCode();
const { start } = await import('./start.js');
await start();
