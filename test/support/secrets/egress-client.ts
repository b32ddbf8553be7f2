import { connect as connectH2 } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';

/** A connection to the proxy by an intern or an attacker. The test controls every byte. */
export interface Attempt {
  /** The target of CONNECT, as sent. */
  readonly connect: string;
  /** Proxy credentials. Default: the credentials of the pass. */
  readonly credentials?: string | null;
  /** The TLS name; null = none. Default: the host of CONNECT. */
  readonly sni?: string | null;
  /** The request inside, with CRLF line ends. `$HOST` is the host of CONNECT. */
  readonly request?: string;
  /** Milliseconds without a byte after which the response counts as complete. Default: 300. */
  readonly quietMs?: number;
  /** Called with each received piece of the response, for HTTP/1.1. */
  readonly onData?: (piece: Buffer) => void;
  /** Sent inside the tunnel without TLS. */
  readonly bare?: boolean;
  /** HTTP/2 headers, which replace `request`. */
  readonly h2?: Readonly<Record<string, string>>;
  /** The body of the HTTP/2 request. */
  readonly h2Body?: string;
}

export interface Outcome {
  /** The status of the proxy's response to CONNECT. */
  readonly connected: number;
  /** Everything received inside the tunnel; empty if the connection was refused. */
  readonly text: string;
  /** The same as bytes, for HTTP/1.1. */
  readonly bytes: Buffer;
}

export interface Pass {
  readonly port: number;
  readonly token: string;
  /** The proxy's certificate authority. */
  readonly authority: string;
}

const QUIET_MS = 300;

export async function attempt(pass: Pass, wanted: Attempt, trust: readonly string[] = []): Promise<Outcome> {
  const socket = connect(pass.port, '127.0.0.1');
  socket.on('error', () => undefined);
  const credentials = wanted.credentials === undefined ? `intern:${pass.token}` : wanted.credentials;
  const authorization =
    credentials === null ? '' : `Proxy-Authorization: Basic ${Buffer.from(credentials).toString('base64')}\r\n`;
  socket.write(`CONNECT ${wanted.connect} HTTP/1.1\r\nHost: ${wanted.connect}\r\n${authorization}\r\n`);
  const head = await headOf(socket);
  const connected = Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0);
  try {
    if (connected !== 200) return { connected, ...read(Buffer.from(head, 'latin1')) };
    if (wanted.bare)
      return {
        connected,
        ...read(
          await conversation(socket, wanted.request!.replaceAll('$HOST', wanted.connect.replace(/:\d+$/, '')), wanted),
        ),
      };
    const host = wanted.connect.replace(/:\d+$/, '');
    const name = wanted.sni === undefined ? host : wanted.sni;
    const tls = connectTls({
      socket,
      ca: [pass.authority, ...trust],
      ...(name === null ? {} : { servername: name }),
      checkServerIdentity: () => undefined,
      ALPNProtocols: [wanted.h2 ? 'h2' : 'http/1.1'],
    });
    const failed = await new Promise<boolean>((resolve) => {
      tls
        .once('secureConnect', () => resolve(false))
        .once('error', () => resolve(true))
        .once('close', () => resolve(true));
    });
    tls.on('error', () => undefined);
    if (failed) return { connected, ...read(Buffer.alloc(0)) };
    return {
      connected,
      ...read(
        wanted.h2
          ? Buffer.from(await overH2(tls, wanted.h2, wanted.h2Body))
          : await conversation(tls, wanted.request!.replaceAll('$HOST', host), wanted),
      ),
    };
  } finally {
    socket.destroy();
  }
}

const read = (bytes: Buffer): Pick<Outcome, 'text' | 'bytes'> => ({ text: bytes.toString('utf8'), bytes });

function headOf(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const done = (): void => {
      socket.off('data', onData);
      resolve(text);
    };
    const onData = (part: Buffer): void => {
      text += part.toString('latin1');
      if (text.includes('\r\n\r\n')) done();
    };
    socket.on('data', onData).once('close', done);
  });
}

/** Sends a request, and reads until the other side closes or stays silent. */
function conversation(
  socket: Socket,
  request: string,
  { quietMs = QUIET_MS, onData }: Pick<Attempt, 'quietMs' | 'onData'>,
): Promise<Buffer> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    const done = (): void => resolve(Buffer.concat(parts));
    let timer = setTimeout(done, 5_000);
    socket.on('data', (part: Buffer) => {
      parts.push(part);
      onData?.(part);
      clearTimeout(timer);
      timer = setTimeout(done, quietMs);
    });
    socket.once('close', () => {
      clearTimeout(timer);
      done();
    });
    socket.write(request);
  });
}

function overH2(tls: TLSSocket, headers: Readonly<Record<string, string>>, body?: string): Promise<string> {
  return new Promise((resolve) => {
    const session = connectH2('https://ignored', { createConnection: () => tls });
    session.on('error', () => resolve(''));
    const stream = session.request(headers, { endStream: body === undefined });
    let text = '';
    stream.on('response', (answer) => (text += `HTTP/2 ${answer[':status']}\n${JSON.stringify(answer)}\n`));
    stream.setEncoding('utf8').on('data', (part: string) => (text += part));
    stream.on('error', () => undefined);
    stream.on('close', () => {
      session.destroy();
      resolve(text);
    });
    if (body !== undefined) stream.end(body);
  });
}
