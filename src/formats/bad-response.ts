import { GatewayError } from '../kernel/errors/errors.js';

/** The error for a 2xx response that violates the protocol: malformed, empty, truncated, or with an error inside. */
export const badResponse = (what: string): GatewayError =>
  new GatewayError('provider_failed', `The provider's response ${what}`);
