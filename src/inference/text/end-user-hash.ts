import { createHmac } from 'node:crypto';

const HEX_CHARACTERS = 32;

/** What a vendor gets in place of an end user's id: the same for the same user of an account, and of no other use. */
export const endUserHash = (accountId: string, user: string): string =>
  createHmac('sha256', accountId).update(user, 'utf8').digest('hex').slice(0, HEX_CHARACTERS);
