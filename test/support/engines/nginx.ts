import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { eventually } from '../eventually.js';
import { freePort } from '../services/free-port.js';
import { temporaryFolder } from '../temporary-folder.js';

/** Whether Debian's nginx is installed. If not, logs that tests are skipped. */
export function nginxIsInstalled(): boolean {
  const installed = spawnSync('nginx', ['-v']).status === 0;
  if (!installed) process.stderr.write('nginx is not installed: the tests that need it are skipped\n');
  return installed;
}

export interface TestNginx {
  readonly origin: string;
  stop(): Promise<void>;
}

const SERVER = /server 127\.0\.0\.1:3000([^;]*);/;

/**
 * Runs nginx with a sample configuration that listens on 8080 and forwards to the server 127.0.0.1:3000. Replaces
 * both addresses: the server becomes one server for each origin, with the parameters of the original.
 */
export async function startNginx(sample: string, ...serviceOrigins: readonly string[]): Promise<TestNginx> {
  const folder = await temporaryFolder();
  const port = await freePort();
  const http = sample
    .replace('listen 8080;', `listen 127.0.0.1:${port};`)
    .replace(SERVER, (_, parameters: string) =>
      serviceOrigins.map((each) => `server ${new URL(each).host}${parameters};`).join(' '),
    );
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${kind};`);
  const main = process.getuid?.() === 0 ? 'user root;\n' : '';
  const config = `${main}pid nginx.pid;\nevents {}\nhttp {\naccess_log off;\n${paths.join('\n')}\n${http}\n}\n`;
  await writeFile(join(folder.path, 'nginx.conf'), config);
  const server = spawn(
    'nginx',
    ['-p', folder.path, '-c', 'nginx.conf', '-e', 'stderr', '-g', 'daemon off; error_log stderr;'],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  // If one of several servers is down, nginx logs a line for each request.
  createInterface(server.stderr).on('line', (line) => {
    if (serviceOrigins.length === 1 || !line.includes('Connection refused')) process.stderr.write(`${line}\n`);
  });
  const ended = once(server, 'exit');
  const origin = `http://127.0.0.1:${port}`;
  await eventually(async () => {
    if (!(await fetch(`${origin}/healthz`)).ok) throw new Error('nginx is not ready');
  }, 30_000);
  return {
    origin,
    stop: async () => {
      server.kill('SIGQUIT');
      await ended;
      await folder.remove();
    },
  };
}
