import { integer } from './schemas.js';

/** Variables of the limits for slow callers, whose connections are closed. */
export const CALLER_VARIABLES = {
  READER_IDLE_TIMEOUT_MS: {
    schema: integer(100, 86_400_000),
    default: '120000',
    doc:
      'How long a caller may read nothing of its response although bytes are ready, in milliseconds. Then ' +
      'its connection is closed. Time in which the provider sends nothing does not count.',
  },
  READER_MIN_BYTES_PER_SECOND: {
    schema: integer(0, 1_000_000_000),
    default: '1024',
    doc:
      'The minimum rate, in bytes per second, at which a caller reads a response whose bytes are ready, and at ' +
      'which a request body arrives; 0 = no minimum. The connection of a slower reader is closed. A request with a ' +
      'slower body returns 408.',
  },
  READER_RATE_WINDOW_MS: {
    schema: integer(100, 86_400_000),
    default: '60000',
    doc:
      'The time over which READER_MIN_BYTES_PER_SECOND is measured, in milliseconds. If no byte of a request body ' +
      'arrives in this time, the request returns 408.',
  },
  SHUTDOWN_STALL_TIMEOUT_MS: {
    schema: integer(100, 600_000),
    default: '5000',
    doc:
      'The maximum of READER_IDLE_TIMEOUT_MS and READER_RATE_WINDOW_MS while the service stops, in ' +
      'milliseconds, so that idle callers do not delay the stop.',
  },
} as const;
