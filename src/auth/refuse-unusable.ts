import { unauthenticated } from '../kernel/errors/errors.js';
import type { KnownKey } from './known-key.js';

/** Throws a 401 for a key that is disabled or has expired, or whose parent key is no longer valid. */
export function refuseUnusable({ disabled, expiresAt, parent }: KnownKey, now: Date): void {
  if (disabled) throw unauthenticated('This API key is disabled');
  if (isPast(expiresAt, now)) throw unauthenticated('This API key has expired');
  if (parent) refuseStoppedParent(parent, now);
}

const isPast = (time: number | null, now: Date): boolean => time !== null && time <= now.getTime();

/** An intern's key is valid only while the key that created the intern is valid. */
function refuseStoppedParent({ deleted, disabled, expiresAt }: NonNullable<KnownKey['parent']>, now: Date): void {
  if (deleted) throw unauthenticated('The API key that created this intern was deleted');
  if (disabled) throw unauthenticated('The API key that created this intern is disabled');
  if (isPast(expiresAt, now)) throw unauthenticated('The API key that created this intern has expired');
}
