import { flag, httpUrl, integer, must, text } from './parsers.js';

const bucket = (value: string): string => {
  must(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(value), 'the name of a bucket');
  return value;
};

/** Variables of the storage and the upload of files, and of the console's. */
export const FILE_VARIABLES = {
  CONSOLE_DIR: {
    parse: text,
    doc: 'Folder of the built console, which is read at the start. Default: dist/console of this installation.',
  },
  S3_BUCKET: {
    parse: bucket,
    doc:
      'Bucket for uploaded files, below `files/`. Absent: they lie in DATA_DIR. Uploads gather in DATA_DIR ' +
      'first in either case.',
  },
  S3_ENDPOINT: { parse: httpUrl, doc: 'Address of an S3-compatible store. Absent: Amazon S3.' },
  S3_REGION: { parse: text, default: 'us-east-1', doc: 'Region of the bucket; many self-hosted stores ignore it.' },
  S3_ACCESS_KEY_ID: {
    parse: text,
    secret: true,
    doc: "Access key for the bucket. Without it and S3_SECRET_ACCESS_KEY the machine's own role is used.",
  },
  S3_SECRET_ACCESS_KEY: { parse: text, secret: true, doc: 'Secret of S3_ACCESS_KEY_ID.' },
  S3_FORCE_PATH_STYLE: {
    parse: flag,
    doc: 'Whether the bucket is named in the path instead of the host name. Default: true where S3_ENDPOINT is given.',
  },
  IMAGE_URL_LIMIT_BYTES: {
    parse: integer(1_048_576, 1_099_511_627_776),
    default: '1073741824',
    doc:
      'How many bytes of images may lie behind the URLs of response_format url, which last an hour; beyond it such ' +
      'requests are answered 429.',
  },
  UPLOAD_IDLE_TIMEOUT_MS: {
    parse: integer(100, 300_000),
    default: '60000',
    doc: 'How long an upload may stand still before it is given up, in milliseconds.',
  },
  FILE_SWEEP_AFTER_MS: {
    parse: integer(600_000, 604_800_000),
    default: '3600000',
    doc:
      'How old bytes without a record must be before the sweeper removes them, in milliseconds; longer ' +
      'than any upload stands still.',
  },
} as const;
