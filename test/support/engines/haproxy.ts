import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { eventually } from '../eventually.js';
import { freePort } from '../services/free-port.js';
import { temporaryFolder } from '../temporary-folder.js';

/** Whether Debian's HAProxy is installed. If not, logs that tests are skipped. */
export function haproxyIsInstalled(): boolean {
  const installed = spawnSync('haproxy', ['-v']).status === 0;
  if (!installed) process.stderr.write('haproxy is not installed: the tests that need it are skipped\n');
  return installed;
}

export interface TestHaproxy {
  readonly origin: string;
  /** Whether HAProxy sends requests to the server with this number. */
  isUp(server: number): Promise<boolean>;
  stop(): Promise<void>;
}

const SERVER = /^ *server \S+ 127\.0\.0\.1:\d+(.*)\n/gm;

/**
 * Runs HAProxy with a sample configuration that listens on 8080. Its servers are replaced by servers at these ports,
 * with the options of the first server.
 */
export async function startHaproxy(sample: string, ports: readonly number[]): Promise<TestHaproxy> {
  const folder = await temporaryFolder();
  const port = await freePort();
  const options = [...sample.matchAll(SERVER)][0]![1]!;
  const servers = ports.map((server, at) => `  server r${at} 127.0.0.1:${server}${options}\n`);
  const rest = sample.replaceAll(SERVER, '').replace('bind :8080', `bind 127.0.0.1:${port}`);
  const admin = join(folder.path, 'admin.sock');
  const config = join(folder.path, 'haproxy.cfg');
  await writeFile(config, `global\n  stats socket ${admin} mode 600\n${rest}${servers.join('')}`);
  const program = spawn('haproxy', ['-db', '-q', '-f', config], { stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = once(program, 'exit');
  const origin = `http://127.0.0.1:${port}`;
  await eventually(async () => {
    if (!(await fetch(`${origin}/healthz`)).ok) throw new Error('haproxy is not ready');
  }, 30_000);
  return {
    origin,
    isUp: async (server) => {
      const socket = connect(admin);
      socket.end('show stat\n');
      const line = (await text(socket)).split('\n').find((each) => each.includes(`,r${server},`));
      // After one failed check, the status is "UP 1/2", and HAProxy still uses the server.
      return line!.split(',')[17]!.startsWith('UP');
    },
    stop: async () => {
      program.kill('SIGTERM');
      await ended;
      await folder.remove();
    },
  };
}
