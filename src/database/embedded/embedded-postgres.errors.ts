/**
 * Thrown if an operation of the embedded PostgreSQL fails. The message is for the operator. It names the problem, with
 * its path or pid, and the remedy.
 */
export class EmbeddedPostgresError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'EmbeddedPostgresError';
  }
}

const describeUser = (): string => (process.getuid ? `user id ${process.getuid()}` : 'this user');

/** Converts an error of a file operation to an EmbeddedPostgresError; returns other errors unchanged. */
export function folderError(folder: string, cause: unknown): unknown {
  const { code, message } = cause as NodeJS.ErrnoException;
  if (cause instanceof EmbeddedPostgresError || code === undefined) return cause;
  const elsewhere = 'set DATA_DIR to another folder';
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return new EmbeddedPostgresError(
        `The data folder ${folder} cannot be written by ${describeUser()}: change its owner or mode, or ${elsewhere}.`,
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
