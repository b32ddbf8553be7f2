import { integer } from './parsers.js';

/** Limits on slow callers, after which the connection is closed. */
export const CALLER_VARIABLES = {
  READER_IDLE_TIMEOUT_MS: {
    parse: integer(100, 86_400_000),
    default: '120000',
    doc:
      'How long a caller may accept no byte of its response while bytes wait for it, in milliseconds; then ' +
      'its connection is cut. The silence of a provider does not count.',
  },
  READER_MIN_BYTES_PER_SECOND: {
    parse: integer(0, 1_000_000_000),
    default: '1024',
    doc:
      'Least rate at which a caller reads its response while bytes wait for it, and at which its request ' +
      'body arrives; 0 = any. A slower reader is cut off, a slower body is answered 408.',
  },
  READER_RATE_WINDOW_MS: {
    parse: integer(100, 86_400_000),
    default: '60000',
    doc:
      'Over how long READER_MIN_BYTES_PER_SECOND is measured, in milliseconds. A request body that stands ' +
      'still as long is answered 408.',
  },
  SHUTDOWN_STALL_TIMEOUT_MS: {
    parse: integer(100, 600_000),
    default: '5000',
    doc:
      'While the service stops, the most that READER_IDLE_TIMEOUT_MS and READER_RATE_WINDOW_MS are, in ' +
      'milliseconds: callers who read nothing and send nothing do not hold up the stop.',
  },
} as const;
