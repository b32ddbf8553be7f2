import type { EmailMessage } from './alerts/email-message.js';
import type { SendOutcome } from './webhook-sender.port.js';

export interface Mail extends EmailMessage {
  readonly to: string;
  /** The same for each attempt, so that a mail program shows only one copy of a mail that arrived twice. */
  readonly messageId: string;
}

/** Sends mails through the operator's mail server. Never rejects. */
export abstract class MailSender {
  /** Whether a mail server is configured. */
  abstract readonly isConfigured: boolean;
  abstract send(mail: Mail): Promise<SendOutcome>;
}
