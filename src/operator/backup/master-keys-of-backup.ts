import { conflict, invalidRequest } from '../../kernel/errors/errors.js';
import type { MasterKeyPlace } from '../../secrets/master-key-place.js';

/** A phrase that names the keys: "the master key with the id x", or the plural for several. */
export const masterKeysNamed = (ids: readonly string[]): string =>
  `the master key${ids.length === 1 ? '' : 's'} with the id${ids.length === 1 ? '' : 's'} ${ids.join(' and ')}`;

/** Throws a conflict if this installation lacks a master key with which sealed data of the backup must be opened. */
export function checkMasterKeys(
  file: string,
  needed: readonly string[],
  { place, ids, problem }: MasterKeyPlace,
): void {
  const missing = needed.filter((id) => !ids.includes(id));
  if (missing.length === 0) return;
  const found = problem === undefined ? `${place} holds ${ids.join(' and ')}` : `${place} gives none (${problem})`;
  throw conflict(
    `${file} needs ${masterKeysNamed(missing)}, and ${found}: put the missing key${missing.length === 1 ? '' : 's'} ` +
      'there first, or add --without-master-key to restore everything except the sealed data; nothing was changed',
  );
}

/** Throws invalid_request if ids from a file are invalid. They are checked because messages contain them. */
export function checkIds(file: string, ids: unknown): void {
  const areIds = Array.isArray(ids) && ids.every((id) => typeof id === 'string' && /^[0-9a-f]{16}$/.test(id));
  if (ids !== undefined && !areIds)
    throw invalidRequest(`${file} names a master key by an invalid id; nothing was changed`);
}
