import { flag, httpUrl, integer, matching, text } from './schemas.js';

/** Variables of the storage and upload of files, and of the console's files. */
export const FILE_VARIABLES = {
  CONSOLE_DIR: {
    schema: text,
    doc: 'Folder of the built console, which is read at the start. Default: dist/console of this installation.',
  },
  S3_BUCKET: {
    schema: matching(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'the name of a bucket'),
    doc:
      'Bucket for uploaded files, below `files/`. Absent: they are stored in DATA_DIR. In both cases, ' +
      'uploads are first written to DATA_DIR.',
  },
  S3_ENDPOINT: { schema: httpUrl, doc: 'Address of an S3-compatible store. Absent: Amazon S3.' },
  S3_REGION: { schema: text, default: 'us-east-1', doc: 'Region of the bucket; many self-hosted stores ignore it.' },
  S3_ACCESS_KEY_ID: {
    schema: text,
    secret: true,
    doc: 'Access key for the bucket. Without it and S3_SECRET_ACCESS_KEY, the role of the machine is used.',
  },
  S3_SECRET_ACCESS_KEY: { schema: text, secret: true, doc: 'Secret of S3_ACCESS_KEY_ID.' },
  S3_FORCE_PATH_STYLE: {
    schema: flag,
    doc:
      'Whether URLs have the name of the bucket in the path instead of the host name. Default: true if ' +
      'S3_ENDPOINT is set.',
  },
  IMAGE_URL_LIMIT_BYTES: {
    schema: integer(1_048_576, 1_099_511_627_776),
    default: '1073741824',
    doc:
      'The maximum number of bytes of images that are stored for response_format url, each for an hour. ' +
      'Above it, such requests return 429.',
  },
  UPLOAD_IDLE_TIMEOUT_MS: {
    schema: integer(100, 300_000),
    default: '60000',
    doc: 'How long an upload may send nothing before it is cancelled, in milliseconds.',
  },
  FILE_SWEEP_AFTER_MS: {
    schema: integer(600_000, 604_800_000),
    default: '3600000',
    doc:
      'The age at which the sweeper deletes stored bytes that no file record refers to, in milliseconds. Must be ' +
      'longer than the timeout of uploads.',
  },
} as const;
