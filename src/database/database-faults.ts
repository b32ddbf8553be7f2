import { DatabaseUnavailable, isMarkedUnavailable } from '../kernel/errors/database-unavailable.js';

/**
 * SQLSTATEs that are not caused by the statement: connection (08), authorization (28), transaction rolled back by a
 * conflict (40), resources (53), operator intervention and cancellation (57), system (58), a missing database (3D000),
 * a server that is a standby or read-only at present (25006), and a lock that was not granted within lock_timeout
 * (55P03).
 */
const TRANSIENT_STATE = /^(?:08|28|40|53|57|58)|^(?:25006|3D000|55P03)$/;

const SQLSTATE = /^[0-9A-Z]{5}$/;

/** Error codes of Node.js for connections. */
const TRANSIENT_CODES: ReadonlySet<string> = new Set([
  'EADDRNOTAVAIL',
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);
/**
 * Codes that file operations also use. They are transient only if the system call that failed was `connect`, for
 * example to a Unix socket.
 */
const TRANSIENT_CODES_OF_CONNECT: ReadonlySet<string> = new Set(['EACCES', 'EMFILE', 'ENFILE', 'ENOENT']);

/** The beginnings of messages of pg and pg-pool errors that have no code. */
const TRANSIENT_MESSAGE = new RegExp(
  `^(?:${[
    'Connection terminated',
    'timeout e',
    'Query read timeout',
    'Client has encountered a connection error',
    'Client was closed',
    'Cannot use a pool after',
    'The server does not support SSL',
    'There was an error establishing an SSL',
  ].join('|')})`,
);

/**
 * Whether an error was caused by the connection or the server and not by the statement, so that a retry may succeed.
 * Accepts errors of `Sql`, the ORM and pg. Also true for a deadlock or a serialization failure.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (isMarkedUnavailable(error)) return true;
  // Do not use instanceof, because an error that Node creates may belong to another realm.
  const { code, message, syscall } = (error ?? {}) as { code?: unknown; message?: unknown; syscall?: unknown };
  if (typeof code !== 'string') return typeof message === 'string' && TRANSIENT_MESSAGE.test(message);
  if (syscall === 'connect' && TRANSIENT_CODES_OF_CONNECT.has(code)) return true;
  return TRANSIENT_CODES.has(code) || (SQLSTATE.test(code) && TRANSIENT_STATE.test(code));
}

/** Wraps an error in DatabaseUnavailable if isDatabaseUnavailable is true for it; returns other errors unchanged. */
export function asDatabaseFault<E>(error: E): E | DatabaseUnavailable {
  if (isMarkedUnavailable(error) || !isDatabaseUnavailable(error)) return error;
  const { code, message } = error as { code?: string; message?: string };
  return new DatabaseUnavailable(`the database is not available: ${message?.split('\n', 1)[0] || code}`, code, {
    cause: error,
  });
}

/** SQL for the timeline of a primary. Each promotion of a standby starts a new timeline. */
export const TIMELINE = 'substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)';

/** insufficient_privilege, undefined_function, feature_not_supported. */
const HIDDEN_STATES = ['42501', '42883', '0A000'];

/** Whether a managed server refused to show its identity or its timeline. */
export const isHidden = (error: unknown): boolean => HIDDEN_STATES.includes((error as { code?: string }).code ?? '');
