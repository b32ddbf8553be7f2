import type { EndpointCall } from './endpoint-call.js';

/** The parameters of a request for the models that a vendor lists for a credential. */
export type ListCall = Pick<EndpointCall, 'provider' | 'package' | 'credential' | 'channel' | 'signal' | 'timeoutMs'>;
