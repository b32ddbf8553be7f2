import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { createServer as createSecureServer, type Server } from 'node:https';
import { createServer as createPlainServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { callbackify } from 'node:util';
import { createSecureContext, type TLSSocket } from 'node:tls';
import * as x509 from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

/** What a server of the simulated internet received. */
export interface Arrival {
  /** The TLS server name; null without TLS. */
  readonly servername: string | null;
  readonly host: string | undefined;
  readonly url: string;
  readonly text: string;
}

/**
 * A simulated internet on one machine: two servers with TLS, a trusted and an untrusted one, and one without TLS. Each
 * records what it receives.
 */
export interface TlsWorld {
  readonly authority: string;
  readonly trusted: number;
  readonly untrusted: number;
  readonly plain: number;
  readonly arrivals: Arrival[];
  /**
   * Replaces the default response: these pieces are written to every connection, which is then closed. A promise is
   * written when it resolves. Undefined: the default response.
   */
  scripted: readonly (ScriptedPiece | Promise<ScriptedPiece>)[] | undefined;
  close(): Promise<void>;
}

type ScriptedPiece = string | Buffer;

interface Issuer {
  readonly certificate: x509.X509Certificate;
  readonly keys: webcrypto.CryptoKeyPair;
}

export async function openTlsWorld(): Promise<TlsWorld> {
  x509.cryptoProvider.set(globalThis.crypto);
  const [known, unknown] = [await anAuthority(), await anAuthority()];
  const arrivals: Arrival[] = [];
  const script: Script = { scripted: undefined };
  const trusted = await listening(tlsServer(known, arrivals, script));
  const untrusted = await listening(tlsServer(unknown, arrivals, script));
  const plain = createPlainServer();
  answering(plain, arrivals, script);
  await listening(plain);
  const servers = [trusted, untrusted, plain];
  const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port;
  return Object.assign(script, {
    authority: known.certificate.toString('pem'),
    trusted: portOf(trusted),
    untrusted: portOf(untrusted),
    plain: portOf(plain),
    arrivals,
    close: async () => {
      await Promise.all(
        servers.map(
          (server) =>
            new Promise((resolve) => {
              server.close(resolve);
              server.closeAllConnections();
            }),
        ),
      );
    },
  });
}

/** A certificate for one name, and the authority that issued it. */
export async function aCertificate(name: string): Promise<{ authority: string; cert: string; key: string }> {
  x509.cryptoProvider.set(globalThis.crypto);
  const issuer = await anAuthority();
  return { authority: issuer.certificate.toString('pem'), ...(await aLeaf(issuer, name)) };
}

type Script = Pick<TlsWorld, 'scripted'>;

/** Writes each piece as a separate packet. */
async function play(pieces: NonNullable<TlsWorld['scripted']>, socket: Duplex): Promise<void> {
  for (const next of pieces) {
    const piece = await next;
    if (socket.destroyed) return;
    await new Promise((resolve) => socket.write(piece, resolve));
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  socket.end();
}

function tlsServer(issuer: Issuer, arrivals: Arrival[], script: Script): Server {
  const server = createSecureServer({
    // The host wrong-name.* presents the certificate of another name.
    SNICallback: callbackify(async (name: string) =>
      createSecureContext(await aLeaf(issuer, name.startsWith('wrong-name.') ? 'someone-else.test' : name)),
    ),
  });
  answering(server, arrivals, script);
  return server;
}

/** Echoes the request in the response, so that a test sees whether a secret is returned. */
function answering(server: Server | ReturnType<typeof createPlainServer>, arrivals: Arrival[], script: Script): void {
  server.on('request', (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text =
        `${request.method} ${request.url}\n${request.rawHeaders.join('\n')}\n\n` +
        Buffer.concat(chunks).toString('utf8');
      const socket = request.socket as TLSSocket;
      arrivals.push({
        servername: socket.encrypted ? socket.servername || '' : null,
        host: request.headers.host,
        url: request.url!,
        text,
      });
      if (script.scripted) void play(script.scripted, socket);
      else if (request.url!.startsWith('/redirect'))
        response.writeHead(302, { location: 'https://elsewhere.test/landed' }).end();
      else if (request.url!.startsWith('/switching'))
        socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n');
      else if (request.url!.startsWith('/recoded'))
        socket.end(`HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n`);
      else if (request.url!.startsWith('/pondering')) setTimeout(() => response.end('at last'), 33_000);
      else if (request.url!.startsWith('/zipped')) response.writeHead(200, { 'content-encoding': 'gzip' }).end('x');
      else
        response
          .writeHead(200, { 'content-type': 'text/plain', 'x-echo': request.headers.authorization ?? '' })
          .end(text);
    });
  });
  server.on('upgrade', (request, socket) => {
    const tls = socket as TLSSocket;
    arrivals.push({
      servername: tls.encrypted ? tls.servername || '' : null,
      host: request.headers.host,
      url: request.url!,
      text: request.rawHeaders.join('\n'),
    });
    socket.on('error', () => undefined);
    if (script.scripted) {
      void play(script.scripted, socket);
      return;
    }
    const extension = request.url!.startsWith('/compressing') ? 'Sec-WebSocket-Extensions: permessage-deflate\r\n' : '';
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${extension}\r\n`);
    socket.write(`hello ${String(request.headers.authorization)}`);
    socket.on('data', (part: Buffer) => socket.write(`echo:${part.toString('utf8')}`));
  });
  server.on('clientError', (_error: Error, socket) => socket.destroy());
  server.on('tlsClientError', () => undefined);
}

async function listening<T extends Server | ReturnType<typeof createPlainServer>>(server: T): Promise<T> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

const span = { notBefore: new Date(Date.now() - 3_600_000), notAfter: new Date(Date.now() + 86_400_000) };

async function anAuthority(): Promise<Issuer> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=Test world',
    ...span,
    signingAlgorithm: ALGORITHM,
    keys,
    extensions: [new x509.BasicConstraintsExtension(true, undefined, true)],
  });
  return { certificate, keys };
}

async function aLeaf(issuer: Issuer, name: string): Promise<{ cert: string; key: string }> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.create({
    subject: 'CN=leaf',
    issuer: issuer.certificate.subject,
    ...span,
    signingAlgorithm: ALGORITHM,
    signingKey: issuer.keys.privateKey,
    publicKey: keys.publicKey,
    extensions: [new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: name }])],
  });
  return {
    cert: certificate.toString('pem'),
    key: x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY'),
  };
}
