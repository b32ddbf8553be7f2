import { isUuid } from '../kernel/ids.js';
import type { StoredFile } from '../database/stored-file.entity.js';

/**
 * Where a file's bytes lie in the object store. The account leads: a sweep touches only what belongs to an account that its
 * database knows, so that two installations may share a store.
 */
export const objectKeyOf = ({ accountId, objectId }: Pick<StoredFile, 'accountId' | 'objectId'>): string =>
  `${accountId}/${objectId}`;

/** The reverse; undefined for a key that is none of ours. */
export function fileOfObjectKey(key: string): { accountId: string; objectId: string } | undefined {
  const [accountId = '', objectId = '', ...rest] = key.split('/');
  return rest.length === 0 && isUuid(accountId) && isUuid(objectId) ? { accountId, objectId } : undefined;
}
