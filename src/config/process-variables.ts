import { integer, text, workerCount } from './parsers.js';

/** Where the service listens, its processes, and how it stops. */
export const PROCESS_VARIABLES = {
  PORT: { parse: integer(0, 65535), default: '3000', doc: 'Port the service listens on; 0 takes a free one.' },
  HOST: {
    parse: text,
    default: '127.0.0.1',
    doc: 'Address the service listens on. With 127.0.0.1 it listens on ::1 too, where the machine has IPv6.',
  },
  WORKERS: {
    parse: workerCount,
    default: '1',
    doc:
      'How many processes serve inference on PORT; 1 = the service is one process, auto = one less than the machine ' +
      'has processors. With several, one more process has everything else, and one commits what calls cost.',
  },
  SHUTDOWN_DELAY_MS: {
    parse: integer(0, 600_000),
    default: '0',
    doc:
      'How long a stopping service goes on accepting connections while /readyz responds 503, in milliseconds, ' +
      'so that load balancers leave it first. The image sets 5000.',
  },
  SHUTDOWN_TIMEOUT_MS: {
    parse: integer(0, 600_000),
    default: '30000',
    doc: 'How long a stopping service waits for calls under way, in milliseconds.',
  },
};
