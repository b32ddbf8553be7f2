import { hostnames, integer, usdAmount } from './parsers.js';

/** Variables of events and webhooks. */
export const EVENT_VARIABLES = {
  CREDITS_LOW_USD: {
    parse: usdAmount,
    default: '5',
    doc:
      'Remaining credits of an account, in USD, below which the event credits.low is written; 0 = never. The same ' +
      'for every replica: the last one that starts sets it.',
  },
  WEBHOOK_PRIVATE_HOSTS: {
    parse: hostnames,
    default: '',
    doc:
      'Hosts, separated by commas, to which webhooks are delivered even where their address is not public, and over ' +
      'plain http too. Port and path do not matter.',
  },
  WEBHOOK_TIMEOUT_MS: {
    parse: integer(100, 60_000),
    default: '15000',
    doc: 'How long a receiver of webhooks has for its response, in milliseconds; a later one counts as a failure.',
  },
} as const;
