import { ConfigError } from './config/config.js';
import { DatabaseStartError } from './database/database-start.error.js';
import { EmbeddedPostgresError } from './database/embedded-postgres.js';
import { isMarkedUnavailable } from './kernel/errors/database-unavailable.js';

/** One line for an error that prevents the start; with a stack if the error is unexpected. */
export function startupFault(error: unknown): string {
  if (!(error instanceof Error)) return `Gatehouse cannot start: ${String(error)}`;
  if (error instanceof ConfigError || error instanceof EmbeddedPostgresError || error instanceof DatabaseStartError)
    return `Gatehouse cannot start: ${error.message}`;
  const { code, port, address, syscall } = error as NodeJS.ErrnoException & { port?: number; address?: string };
  if (code === 'EADDRINUSE')
    return (
      `Gatehouse cannot start: port ${port} on ${address} is in use. Set PORT to another one, or stop the ` +
      'program that has it.'
    );
  if (code === 'EACCES' && syscall === 'listen')
    return `Gatehouse cannot start: it may not listen on port ${port}. Set PORT to one above 1023.`;
  if (code === 'EADDRNOTAVAIL')
    return `Gatehouse cannot start: this machine has no address ${address}. Set HOST to one it has.`;
  if (isMarkedUnavailable(error))
    return `Gatehouse cannot start: the database of DATABASE_URL cannot be used (${error.message || code}).`;
  return `Gatehouse cannot start: ${error.stack ?? error.message}`;
}
