import { isUuid } from '../kernel/ids.js';
import type { StoredFile } from '../database/entities/stored-file.entity.js';

/**
 * The object key of a file. It begins with the account: a sweep deletes only objects of accounts in its database, so
 * two installations can share a store.
 */
export const objectKeyOf = ({ accountId, objectId }: Pick<StoredFile, 'accountId' | 'objectId'>): string =>
  `${accountId}/${objectId}`;

/** The reverse; undefined for other keys. */
export function fileOfObjectKey(key: string): { accountId: string; objectId: string } | undefined {
  const [accountId = '', objectId = '', ...rest] = key.split('/');
  return rest.length === 0 && isUuid(accountId) && isUuid(objectId) ? { accountId, objectId } : undefined;
}
