import { prepareCompiledCode } from '../config/compiled-code.js';

// Before everything else is loaded.
prepareCompiledCode();
const { runOperator } = await import('./run-operator.js');
await runOperator();
