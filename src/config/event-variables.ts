import { hostnames, integer, mailAddress, smtpUrl, usdAmount } from './schemas.js';

/** Variables of events and webhooks. */
export const EVENT_VARIABLES = {
  CREDITS_LOW_USD: {
    schema: usdAmount,
    default: '5',
    doc:
      'The event credits.low is written when the remaining credits of an account fall below this amount in ' +
      'USD; 0 = never. The value applies to all replicas: the replica that starts last sets it.',
  },
  WEBHOOK_PRIVATE_HOSTS: {
    schema: hostnames,
    default: '',
    doc:
      'Hosts, separated by commas, to which webhooks are delivered even if their address is not public, ' +
      'and also over plain http. Port and path are ignored.',
  },
  WEBHOOK_TIMEOUT_MS: {
    schema: integer(100, 60_000),
    default: '15000',
    doc: 'The timeout of a webhook delivery, in milliseconds. A later response counts as a failure.',
  },
  SMTP_URL: {
    schema: smtpUrl,
    secret: true,
    doc:
      'Server through which webhooks of the format email are sent, such as ' +
      'smtp://user:password@mail.example.com:587 (STARTTLS, required with a password) or smtps://… (TLS ' +
      'from the beginning). Needs SMTP_FROM.',
  },
  SMTP_FROM: {
    schema: mailAddress,
    doc: 'Sender of these mails, such as alerts@example.com or Gatehouse <alerts@example.com>. Needs SMTP_URL.',
  },
} as const;
