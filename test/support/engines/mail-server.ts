import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A mail that a test server received. */
export interface SeenMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Whether it arrived over TLS. */
  readonly secure: boolean;
  /** The signed-in user. */
  readonly user: unknown;
  /** The names of its header fields, in lower case. */
  readonly fields: readonly string[];
  header(name: string): string | undefined;
  /** The body with the plain text and the HTML, decoded. */
  readonly text: string;
}

export interface MailServer {
  readonly port: number;
  readonly seen: SeenMail[];
  close(): Promise<void>;
}

/**
 * A real SMTP server on this machine. Without a certificate it does not support TLS; without `onAuth` it does not
 * support sign-in.
 */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const seen: SeenMail[] = [];
  const disabledCommands = [...(options.cert ? [] : ['STARTTLS']), ...(options.onAuth ? [] : ['AUTH'])];
  const server = new SMTPServer({
    authOptional: options.onAuth === undefined,
    disabledCommands,
    logger: false,
    onData: (stream, { envelope, secure, user }, done) => {
      const { mailFrom, rcptTo } = envelope;
      const to = rcptTo.map(({ address }) => address);
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const content = read(Buffer.concat(chunks));
        seen.push({ from: mailFrom ? mailFrom.address : '', to, secure, user: user as unknown, ...content });
        done();
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  return {
    port: (server.server.address() as AddressInfo).port,
    seen,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function read(bytes: Buffer): Pick<SeenMail, 'fields' | 'header' | 'text'> {
  const raw = bytes.toString('latin1');
  const [head = ''] = raw.split('\r\n\r\n', 1);
  const lines = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n');
  const headers = new Map(lines.map((line) => [line.split(':', 1)[0]!.toLowerCase(), line.replace(/^[^:]*: ?/, '')]));
  return {
    fields: [...headers.keys()],
    header: (name) => unencoded(headers.get(name)),
    text: decoded(raw.slice(head.length)),
  };
}

/** Decodes encoded words (RFC 2047), which are quoted-printable here. */
const unencoded = (value: string | undefined): string | undefined =>
  value
    ?.replaceAll(/\?= =\?UTF-8\?Q\?/g, '')
    .replaceAll(/=\?UTF-8\?Q\?([^?]*)\?=/g, (_, word: string) => decoded(word.replaceAll('_', ' ')));

/** Decodes the encodings that nodemailer chooses for a text: none, or quoted-printable. */
const decoded = (text: string): string =>
  Buffer.from(
    text
      .replaceAll(/=\r\n/g, '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8');
