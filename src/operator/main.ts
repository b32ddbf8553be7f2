import { prepareCompiledCode } from '../config/compiled-code.js';
import { showSourcePositions } from '../config/stack-traces.js';

// Call these functions before any other module is loaded.
prepareCompiledCode();
showSourcePositions();
const { runOperator } = await import('./run-operator.js');
await runOperator();
