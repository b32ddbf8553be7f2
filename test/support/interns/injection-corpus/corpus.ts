import { DISK_ESCAPES } from './disk-escapes.js';
import { EXFILTRATION } from './exfiltration.js';
import { GATEWAY_ABUSE } from './gateway-abuse.js';
import type { Injection } from './injection.js';

/** Pages and files that give an agent harmful instructions, for a model that obeys all of them. */
export const INJECTIONS: readonly Injection[] = [...EXFILTRATION, ...DISK_ESCAPES, ...GATEWAY_ABUSE];
