import { usdAmount } from './parsers.js';

/** Members and their sign-in. */
export const SIGN_IN_VARIABLES = {
  MEMBER_KEY_LIMIT: {
    parse: usdAmount,
    doc:
      'The most that a developer may give a key of their own as its limit, in USD; a key without a limit gets it. ' +
      'Absent: no bound.',
  },
} as const;
