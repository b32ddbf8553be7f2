import { GatewayError } from '../kernel/errors/errors.js';

/** The error for a 2xx response that violates the protocol: malformed, empty, truncated, or with an error inside. */
export const badResponse = (what: string): GatewayError =>
  new GatewayError('provider_failed', `The provider's response ${what}`);

/** The error for a response that broke off, which counts as an outage. */
export const incompleteResponse = (): GatewayError =>
  new GatewayError('provider_failed', "The provider's response ended before it was complete", { outage: true });

/** The error for a response whose finish reason is an error. */
export const failedResponse = (): GatewayError =>
  new GatewayError('provider_failed', 'The provider ended its response with an error');
