import { GatewayError } from '../kernel/errors/errors.js';

const RETRY_AFTER_SECONDS = '30';

/** Error codes of a full, read-only, missing or broken disk. Broken connections of callers have other codes. */
const DISK_FAULTS: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'may not be written'],
  ['EDQUOT', 'is full'],
  ['EIO', 'does not work'],
  ['EMFILE', 'has too many files open'],
  ['ENFILE', 'has too many files open'],
  ['ENODEV', 'is gone'],
  ['ENOENT', 'is gone'],
  ['ENOSPC', 'is full'],
  ['ENOTDIR', 'is gone'],
  ['ENXIO', 'is gone'],
  ['EPERM', 'may not be written'],
  ['EROFS', 'is read-only'],
  ['ESTALE', 'is gone'],
]);

/** A 503 with a message that contains the problem but no path. `cause` is for the log. */
export const storeUnavailable = (what: string, cause?: unknown): GatewayError =>
  new GatewayError('unavailable', `Files cannot be stored or read at present: ${what}. Try again later.`, {
    headers: { 'Retry-After': RETRY_AFTER_SECONDS },
    cause,
  });

/** A 503 for an error of the disk. Returns other errors unchanged. */
export function diskFault(error: unknown): unknown {
  const how = DISK_FAULTS.get((error as NodeJS.ErrnoException).code ?? '');
  return how === undefined ? error : storeUnavailable(`the disk of this service ${how}`, error);
}

/** Converts disk errors to a 503. Throws other errors unchanged. */
export async function onDisk<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw diskFault(error);
  }
}
