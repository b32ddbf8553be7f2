import { GatewayError } from './errors.js';

/** The value of the header Retry-After. */
const RETRY_AFTER_SECONDS = '2';

/**
 * The database cannot be used at present: unreachable, too slow, or a transient refusal. The same request may succeed
 * later.
 */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable';
  /** The ORM copies an error's members into an error of its own. The copy loses the class but keeps this member. */
  readonly databaseUnavailable = true;

  /** `code`: the SQLSTATE or system error code that caused it. */
  constructor(
    message: string,
    readonly code = '08006',
    options?: { readonly cause?: unknown },
  ) {
    super(message, options);
  }
}

/** Whether an error is a DatabaseUnavailable, or the ORM's copy of one. */
export const isMarkedUnavailable = (error: unknown): boolean =>
  (error as { databaseUnavailable?: unknown } | undefined)?.databaseUnavailable === true;

/** The error for callers. */
export const databaseUnavailableError = (cause: unknown): GatewayError =>
  new GatewayError('unavailable', 'The database is not available. Try again in a moment.', {
    headers: { 'Retry-After': RETRY_AFTER_SECONDS },
    cause,
  });
