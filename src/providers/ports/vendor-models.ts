import type { EndpointCall } from './endpoint-call.js';

/** The data for asking a vendor which models it has for a credential. */
export type ListCall = Pick<EndpointCall, 'provider' | 'package' | 'credential' | 'channel' | 'signal' | 'timeoutMs'>;
