import { createHmac } from 'node:crypto';

const HEX_CHARACTERS = 32;

/**
 * The hash that a vendor gets instead of an end user's id. It is equal for equal users of an account, and is used for
 * nothing else.
 */
export const endUserHash = (accountId: string, user: string): string =>
  createHmac('sha256', accountId).update(user, 'utf8').digest('hex').slice(0, HEX_CHARACTERS);
