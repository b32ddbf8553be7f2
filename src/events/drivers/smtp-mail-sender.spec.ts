import { aCertificate } from '../../../test/support/engines/tls-world.js';
import { startMailServer, type MailServer } from '../../../test/support/engines/mail-server.js';
import { startWebhookReceiver, silence } from '../../../test/support/engines/webhook-receiver.js';
import type { SendOutcome } from '../webhook-sender.port.js';
import { SmtpMailSender } from './smtp-mail-sender.driver.js';

const PASSWORD = 'p@ss:w/rd';
const MAIL = {
  to: 'oncall@example.com',
  messageId: '<evt_1@x>',
  subject: 'Credits are low',
  text: 'T',
  html: '<p>H</p>',
};

describe('mails over SMTP', () => {
  const servers: MailServer[] = [];
  let certificate: Awaited<ReturnType<typeof aCertificate>>;
  beforeAll(async () => {
    certificate = await aCertificate('localhost');
  });
  afterAll(() => Promise.all(servers.map((server) => server.close())));

  async function aServer(options: Parameters<typeof startMailServer>[0] = {}): Promise<MailServer> {
    const server = await startMailServer(options);
    servers.push(server);
    return server;
  }
  const signIn: Parameters<typeof startMailServer>[0] = {
    onAuth: ({ username, password }, _, done) =>
      password === PASSWORD ? done(null, { user: username }) : done(new Error('Wrong password')),
  };
  const send = (url: string, authority?: string, mail: object = {}): Promise<SendOutcome> =>
    new SmtpMailSender({ url, from: 'Gatehouse <alerts@example.com>', timeoutMs: 5_000, authority }).send({
      ...MAIL,
      ...mail,
    });
  const urlOf = ({ port }: MailServer, user = '', scheme = 'smtp'): string => `${scheme}://${user}localhost:${port}`;
  const USER = `alerts:${encodeURIComponent(PASSWORD)}@`;

  it('arrive over STARTTLS with the password, the sender and the recipient', async () => {
    const server = await aServer({ ...certificate, ...signIn });
    expect(await send(urlOf(server, USER), certificate.authority)).toEqual({ status: 250 });
    const [mail] = server.seen;
    expect(mail).toMatchObject({
      from: 'alerts@example.com',
      to: ['oncall@example.com'],
      secure: true,
      user: 'alerts',
    });
    expect(mail!.header('from')).toBe('Gatehouse <alerts@example.com>');
    expect(mail!.header('message-id')).toBe('<evt_1@x>');
    expect(mail!.text).toContain('<p>H</p>');
  });

  it('arrive over TLS from the beginning if the scheme is smtps', async () => {
    const server = await aServer({ ...certificate, ...signIn, secure: true });
    expect(await send(urlOf(server, USER, 'smtps'), certificate.authority)).toEqual({ status: 250 });
    expect(server.seen[0]!.secure).toBe(true);
  });

  it('arrive without TLS if there is no password and the server offers no TLS', async () => {
    const server = await aServer();
    expect(await send(urlOf(server))).toEqual({ status: 250 });
    expect(server.seen[0]!.secure).toBe(false);
  });

  it('are not sent to a server without TLS if there is a password, and the password is not sent', async () => {
    const passwords: unknown[] = [];
    const server = await aServer({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: ({ password }, _, done) => {
        passwords.push(password);
        done(null, { user: 'alerts' });
      },
    });
    expect(await send(urlOf(server, USER))).toEqual({ error: expect.any(String) });
    expect([passwords, server.seen]).toEqual([[], []]);
  });

  it('are not sent to a server with an unknown certificate', async () => {
    const server = await aServer({ ...certificate, ...signIn });
    expect(await send(urlOf(server, USER))).toEqual({ error: expect.stringContaining('certificate') });
    expect(server.seen).toEqual([]);
  });

  it('fail with the response of the server, without the password', async () => {
    const server = await aServer({ ...certificate, ...signIn });
    const outcome = await send(urlOf(server, 'alerts:wr0ng@'), certificate.authority);
    expect(outcome).toEqual({ error: expect.stringContaining('Wrong password') });
    expect(JSON.stringify(outcome)).not.toContain('wr0ng');
    const refusing = await aServer({
      onRcptTo: (_, __, done) => done(Object.assign(new Error('No such mailbox'), { responseCode: 550 })),
    });
    expect(await send(urlOf(refusing))).toEqual({ error: expect.stringContaining('No such mailbox') });
  });

  it('have one recipient and no further header, whatever the texts contain', async () => {
    const server = await aServer();
    const subject = 'x\r\nBcc: victim@example.com';
    await send(urlOf(server), undefined, { subject });
    await send(urlOf(server), undefined, { to: 'a@example.com, victim@example.com', subject: 'x' });
    for (const { to, fields } of server.seen) {
      expect(fields).not.toContain('bcc');
      expect(to).not.toContain('victim@example.com');
    }
    expect(server.seen.length).toBeGreaterThan(0);
  });

  it('fail if there is no server, or if the server sends nothing', async () => {
    expect(await send('smtp://localhost:1')).toEqual({ error: expect.any(String) });
    const silent = await startWebhookReceiver();
    silent.respond = silence;
    const sender = new SmtpMailSender({
      url: `smtp://localhost:${silent.port}`,
      from: 'alerts@example.com',
      timeoutMs: 100,
    });
    expect(await sender.send(MAIL)).toEqual({ error: expect.any(String) });
    await silent.close();
    const none = new SmtpMailSender({ url: undefined, from: undefined, timeoutMs: 100 });
    expect(none.isConfigured).toBe(false);
    expect(await none.send(MAIL)).toEqual({ error: 'SMTP_URL and SMTP_FROM are not set' });
  });
});
