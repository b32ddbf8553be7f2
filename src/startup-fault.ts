import { ConfigError } from './config/config.js';
import { DatabaseStartError } from './database/database-start.error.js';
import { EmbeddedPostgresError } from './database/embedded-postgres.js';
import { isMarkedUnavailable } from './kernel/errors/database-unavailable.js';

/** The text for an error that prevents the start. Contains the stack only if the error is unexpected. */
export const startupFault = (error: unknown): string => `Gatehouse cannot start: ${causeOf(error)}`;

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof ConfigError || error instanceof EmbeddedPostgresError || error instanceof DatabaseStartError)
    return error.message;
  const { code, port, address, syscall } = error as NodeJS.ErrnoException & { port?: number; address?: string };
  if (code === 'EADDRINUSE')
    return `port ${port} on ${address} is in use. Set PORT to another one, or stop the program that has it.`;
  if (code === 'EACCES' && syscall === 'listen')
    return `it may not listen on port ${port}. Set PORT to one above 1023.`;
  if (code === 'EADDRNOTAVAIL') return `this machine has no address ${address}. Set HOST to one it has.`;
  if (isMarkedUnavailable(error)) return `the database of DATABASE_URL cannot be used (${error.message || code}).`;
  return error.stack ?? error.message;
}
