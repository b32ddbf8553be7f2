import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';

/** Every way in which a Docker Engine can be unusable, as a client of its socket sees it. */
export const ENGINE_FAULTS = [
  'absent',
  'refusing',
  'silent',
  'closing',
  'failing',
  'talking nonsense',
  'stalling',
] as const;
export type EngineFault = (typeof ENGINE_FAULTS)[number];

export interface BrokenEngine {
  readonly socketPath: string;
  close(): Promise<void>;
}

const SERVED: Readonly<Partial<Record<EngineFault, (socket: Socket) => void>>> = {
  silent: () => undefined,
  closing: (socket) => void socket.once('data', () => socket.destroy()),
  failing: (socket) =>
    void socket.once('data', () => {
      const body = JSON.stringify({ message: 'the disk of the engine is full' });
      socket.end(
        `HTTP/1.1 500 Internal Server Error\r\nContent-Type: application/json\r\n` +
          `Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
      );
    }),
  'talking nonsense': (socket) => void socket.once('data', () => socket.end('SSH-2.0-OpenSSH_9.2\r\n')),
  // Sends a head that announces a body, but no body.
  stalling: (socket) =>
    void socket.once('data', () =>
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n'),
    ),
};

export async function brokenDockerEngine(fault: EngineFault, folder: string): Promise<BrokenEngine> {
  const socketPath = join(folder, `${fault.replaceAll(' ', '-')}.sock`);
  if (fault === 'absent') return { socketPath, close: async () => undefined };
  if (fault === 'refusing') {
    // The socket file of a killed process stays without a listener.
    const killed = spawn(
      process.execPath,
      ['-e', `require('node:net').createServer().listen(${JSON.stringify(socketPath)}, () => console.log('up'))`],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    await once(killed.stdout, 'data');
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    return { socketPath, close: async () => undefined };
  }
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    socket.resume();
    SERVED[fault]!(socket);
  });
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  return {
    socketPath,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
