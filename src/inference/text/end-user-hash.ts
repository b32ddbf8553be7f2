import { createHmac } from 'node:crypto';

const HEX_CHARACTERS = 32;

/** The hash that a vendor gets in place of an end user's id: equal for one user of an account, useless otherwise. */
export const endUserHash = (accountId: string, user: string): string =>
  createHmac('sha256', accountId).update(user, 'utf8').digest('hex').slice(0, HEX_CHARACTERS);
