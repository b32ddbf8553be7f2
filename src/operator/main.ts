import { prepareCompiledCode } from '../config/compiled-code.js';
import { showSourcePositions } from '../config/stack-traces.js';

// Call it before loading everything else.
prepareCompiledCode();
showSourcePositions();
const { runOperator } = await import('./run-operator.js');
await runOperator();
