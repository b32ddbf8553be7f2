import { hostnames, integer, mailAddress, smtpUrl, usdAmount } from './parsers.js';

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
  SMTP_URL: {
    parse: smtpUrl,
    secret: true,
    doc:
      'Server through which webhooks of the format email are sent, such as smtp://user:password@mail.example.com:587 ' +
      '(STARTTLS, required where there is a password) or smtps://… (TLS from the beginning). Needs SMTP_FROM.',
  },
  SMTP_FROM: {
    parse: mailAddress,
    doc: 'Sender of these mails, such as alerts@example.com or Gatehouse <alerts@example.com>. Needs SMTP_URL.',
  },
} as const;
