import type { EgressCase } from './egress-case.js';
import { FRAMING_CASES } from './framing-cases.js';
import { HOST_CASES } from './host-cases.js';
import { REQUEST_CASES } from './request-cases.js';
import { TUNNEL_CASES } from './tunnel-cases.js';

export const CORPUS: readonly EgressCase[] = [...HOST_CASES, ...TUNNEL_CASES, ...REQUEST_CASES, ...FRAMING_CASES];
