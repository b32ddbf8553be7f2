import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { eventually } from '../eventually.js';
import { freePort, isListening } from '../services/free-port.js';

const STARTS_WITHIN_MS = 30_000;

/** A redis-server without persistence, on a free port of loopback. */
export class RedisProcess {
  #server: ChildProcess | undefined;

  private constructor(
    readonly port: number,
    private readonly words: readonly string[],
  ) {}

  /** Starts a server in `folder`. `more`: returns additional arguments for the port. */
  static async start(folder: string, more: (port: number) => readonly string[] = () => []): Promise<RedisProcess> {
    const port = await freePort();
    const words = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder];
    const server = new RedisProcess(port, [...words, '--save', '', '--appendonly', 'no', ...more(port)]);
    await server.start();
    return server;
  }

  /** Starts a Sentinel with a configuration file. Sentinel also writes its state to the file. */
  static async startSentinel(config: string, port: number): Promise<RedisProcess> {
    const server = new RedisProcess(port, [config, '--sentinel']);
    await server.start();
    return server;
  }

  async start(): Promise<void> {
    this.#server = spawn('redis-server', this.words, { stdio: 'ignore' });
    await eventually(async () => {
      if (!(await isListening(this.port))) throw new Error(`Nothing listens on port ${this.port}`);
    }, STARTS_WITHIN_MS);
  }

  /** Kills the process, like a crash. */
  async kill(): Promise<void> {
    const server = this.#server;
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const gone = once(server, 'exit');
    server.kill('SIGKILL');
    await gone;
  }

  /** Stops the process by SIGSTOP, with open connections, until `thaw`. */
  freeze(): void {
    this.#server?.kill('SIGSTOP');
  }

  thaw(): void {
    this.#server?.kill('SIGCONT');
  }
}
