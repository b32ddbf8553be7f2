import { integer, text, workerCount } from './schemas.js';

/** Variables of the addresses that the service listens on, its processes, and its shutdown. */
export const PROCESS_VARIABLES = {
  PORT: { schema: integer(0, 65535), default: '3000', doc: 'Port on which the service listens; 0 = any free port.' },
  HOST: {
    schema: text,
    default: '127.0.0.1',
    doc: 'Address the service listens on. With 127.0.0.1 it listens on ::1 too, where the machine has IPv6.',
  },
  WORKERS: {
    schema: workerCount,
    default: '1',
    doc:
      'How many processes serve inference on PORT; 1 = the service is one process, auto = one less than ' +
      'the machine has processors. With several, one additional process commits reservations and ' +
      'settlements, and another does everything else.',
  },
  SHUTDOWN_DELAY_MS: {
    schema: integer(0, 600_000),
    default: '0',
    doc:
      'How long a stopping service still accepts connections while /readyz responds 503, in milliseconds, so that ' +
      'load balancers stop sending requests to it first. The Docker image sets 5000.',
  },
  SHUTDOWN_TIMEOUT_MS: {
    schema: integer(0, 600_000),
    default: '30000',
    doc: 'How long a stopping service waits for open calls, in milliseconds.',
  },
};
