/**
 * The embedded PostgreSQL cannot do what was asked. The message is one sentence or two for whoever runs the service:
 * what is wrong, with the path or pid, and what to do.
 */
export class EmbeddedPostgresError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'EmbeddedPostgresError';
  }
}

const whoAmI = (): string => (process.getuid ? `user id ${process.getuid()}` : 'this user');

/** Turns a failed file operation on the data folder into a sentence; what is no file error passes through unchanged. */
export function folderError(folder: string, cause: unknown): unknown {
  const { code, message } = cause as NodeJS.ErrnoException;
  if (cause instanceof EmbeddedPostgresError || code === undefined) return cause;
  const elsewhere = 'set DATA_DIR to another folder';
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return new EmbeddedPostgresError(
        `The data folder ${folder} cannot be written by ${whoAmI()}: change its owner or mode, or ${elsewhere}.`,
        { cause },
      );
    case 'EROFS':
      return new EmbeddedPostgresError(`The data folder ${folder} is on a read-only file system: ${elsewhere}.`, {
        cause,
      });
    case 'EEXIST':
    case 'ENOTDIR':
      return new EmbeddedPostgresError(
        `The data folder ${folder} cannot be used, because it or a part of its path is a file: ${elsewhere}.`,
        { cause },
      );
    case 'ENOSPC':
    case 'EDQUOT':
      return new EmbeddedPostgresError(`No space is left for the data folder ${folder}: free some, or ${elsewhere}.`, {
        cause,
      });
    default:
      return new EmbeddedPostgresError(`The data folder ${folder} cannot be used: ${message}.`, { cause });
  }
}
