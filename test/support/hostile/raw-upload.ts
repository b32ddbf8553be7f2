import { connect, type Socket } from 'node:net';

const CHUNK = Buffer.alloc(65_536, 'All work and no play makes a dull file.\n');

export interface RawUpload {
  /** The status of the response; 0 if the connection ended without one. */
  readonly status: Promise<number>;
  /** Bytes written to the socket so far. */
  sent(): number;
  /** Resets the connection, like a client that crashes. */
  kill(): void;
}

/** Uploads a text file of the given size from one shared buffer, so that the sender needs no memory per upload. */
export function rawUpload(origin: string, key: string, size: number): RawUpload {
  const { hostname, port } = new URL(origin);
  const start = Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="upload.txt"\r\n\r\n');
  const end = Buffer.from('\r\n--b--\r\n');
  const socket = connect(Number(port), hostname);
  let sent = 0;
  socket.write(
    `POST /api/v1/files HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
      `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: ${start.length + size + end.length}\r\n` +
      `Connection: close\r\n\r\n`,
  );
  socket.write(start);
  const pump = (): void => {
    while (sent < size && !socket.destroyed) {
      const piece = CHUNK.subarray(0, Math.min(CHUNK.length, size - sent));
      sent += piece.length;
      if (!socket.write(piece)) return void socket.once('drain', pump);
    }
    socket.write(end);
  };
  pump();
  return { status: statusOf(socket), sent: () => sent, kill: () => socket.resetAndDestroy() };
}

function statusOf(socket: Socket): Promise<number> {
  let text = '';
  socket.setEncoding('latin1').on('data', (piece: string) => (text += piece));
  return new Promise((resolve) => {
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0)));
  });
}
