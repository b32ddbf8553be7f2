import { isUuid } from '../kernel/ids.js';
import type { StoredFile } from '../database/entities/stored-file.entity.js';

/**
 * The object key of a file. It starts with the account id, because a sweep deletes only the objects of accounts in its
 * own database. Two installations can therefore share a store.
 */
export const objectKeyOf = ({ accountId, objectId }: Pick<StoredFile, 'accountId' | 'objectId'>): string =>
  `${accountId}/${objectId}`;

/** The account and object ids in an object key of a file; undefined for other keys. */
export function fileOfObjectKey(key: string): { accountId: string; objectId: string } | undefined {
  const [accountId = '', objectId = '', ...rest] = key.split('/');
  return rest.length === 0 && isUuid(accountId) && isUuid(objectId) ? { accountId, objectId } : undefined;
}
