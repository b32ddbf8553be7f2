import { DISK_ESCAPES } from './disk-escapes.js';
import { EXFILTRATION } from './exfiltration.js';
import { GATEWAY_ABUSE } from './gateway-abuse.js';
import type { Injection } from './injection.js';

/**
 * Texts with harmful instructions. Tests serve each text as a web page or a file, to a model that follows every
 * instruction.
 */
export const INJECTIONS: readonly Injection[] = [...EXFILTRATION, ...DISK_ESCAPES, ...GATEWAY_ABUSE];
