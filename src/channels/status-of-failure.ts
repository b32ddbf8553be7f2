import { STATUS } from '../kernel/errors/error-status.js';
import { GatewayError } from '../kernel/errors/errors.js';

/** The vendor's status, or otherwise the status of the response to the caller. */
export const statusOfFailure = (error: unknown): number =>
  error instanceof GatewayError ? (error.vendorStatus ?? STATUS[error.kind]) : STATUS.internal;
