import { setTimeout as sleep } from 'node:timers/promises';
import { reasonOf } from '../../kernel/errors/errors.js';
import { MailSender, type Mail } from '../mail-sender.port.js';
import type { SendOutcome } from '../webhook-sender.port.js';

const MAX_ERROR_CHARACTERS = 200;
const ACCEPTED = 250;

interface SmtpSettings {
  readonly url: string | undefined;
  readonly from: string | undefined;
  readonly timeoutMs: number;
  /** Trusted in addition to the system's certificates. */
  readonly authority?: string;
}

/**
 * Uses one connection per mail. A password is sent over TLS only. Without a password, TLS is used if the server
 * supports it. The certificate is always verified.
 */
export class SmtpMailSender extends MailSender {
  constructor(private readonly settings: SmtpSettings) {
    super();
  }

  get isConfigured(): boolean {
    return this.settings.url !== undefined;
  }

  async send(mail: Mail): Promise<SendOutcome> {
    const { url, from, timeoutMs } = this.settings;
    if (url === undefined || from === undefined) return { error: 'SMTP_URL and SMTP_FROM are not set' };
    const ended = new AbortController();
    try {
      return await Promise.race([
        this.#send(url, { ...mail, from }),
        sleep(timeoutMs, { error: `the mail was not accepted within ${timeoutMs} ms` }, { signal: ended.signal }),
      ]);
    } catch (error) {
      return { error: reasonOf(error).replaceAll(/\s+/g, ' ').slice(0, MAX_ERROR_CHARACTERS) };
    } finally {
      ended.abort();
    }
  }

  async #send(
    url: string,
    { from, to, messageId, subject, text, html }: Mail & { from: string },
  ): Promise<SendOutcome> {
    // Loaded on first use, because most services send no mail.
    const { createTransport } = await import('nodemailer');
    const { timeoutMs, authority } = this.settings;
    const { protocol, hostname, port, username, password } = new URL(url);
    const auth =
      username === '' ? undefined : { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
    const transport = createTransport({
      host: hostname.replace(/^\[|\]$/g, ''),
      ...(port === '' ? {} : { port: Number(port) }),
      secure: protocol === 'smtps:',
      requireTLS: auth !== undefined,
      ...(auth ? { auth } : {}),
      ...(authority === undefined ? {} : { tls: { ca: authority } }),
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    try {
      await transport.sendMail({ from, to: { name: '', address: to }, messageId, subject, text, html });
      return { status: ACCEPTED };
    } finally {
      transport.close();
    }
  }
}
