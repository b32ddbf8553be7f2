import { connect } from 'node:net';

/** The response on a plain socket, and how much of the request was sent before it. */
export interface RawAnswer {
  readonly text: string;
  readonly status: number;
  /** Bytes of the body passed to the socket before the first byte of the response arrived. */
  readonly bodySentBefore: number;
}

/**
 * Sends HTTP over a plain socket: the head, then pieces of the body until the response arrives or the connection ends.
 * HTTP client libraries do not report how much of the body they had sent.
 */
export function rawHttp(origin: string, head: string, body: Iterable<Buffer>): Promise<RawAnswer> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    const pieces = body[Symbol.iterator]();
    let text = '';
    let sent = 0;
    let bodySentBefore = -1;
    const pump = (): void => {
      if (bodySentBefore >= 0 || socket.destroyed) return;
      const next = pieces.next();
      if (next.done) return;
      sent += next.value.length;
      if (socket.write(next.value)) setImmediate(pump);
    };
    socket.setEncoding('latin1');
    socket.on('connect', () => {
      socket.write(head);
      setImmediate(pump);
    });
    socket.on('drain', pump);
    socket.on('data', (chunk: string) => {
      if (bodySentBefore < 0) bodySentBefore = sent;
      text += chunk;
    });
    socket.on('error', (error) => (text === '' ? reject(error) : undefined));
    socket.on('close', () =>
      resolve({
        text,
        status: Number(/^HTTP\/1\.1 (\d+)/.exec(text.replace('HTTP/1.1 100 Continue\r\n\r\n', ''))?.[1] ?? 0),
        bodySentBefore,
      }),
    );
  });
}
