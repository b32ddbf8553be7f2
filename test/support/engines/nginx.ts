import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '../eventually.js';
import { freePort } from '../services/free-port.js';
import { temporaryFolder } from '../temporary-folder.js';

/** Whether Debian's nginx is here; says that tests are skipped where it is not. */
export function nginxIsInstalled(): boolean {
  const installed = spawnSync('nginx', ['-v']).status === 0;
  if (!installed) process.stderr.write('nginx is not installed: the tests that need it are skipped\n');
  return installed;
}

export interface TestNginx {
  readonly origin: string;
  stop(): Promise<void>;
}

/** Runs nginx with a sample that listens on 8080 and leads to 127.0.0.1:3000: both are replaced. */
export async function startNginx(sample: string, serviceOrigin: string): Promise<TestNginx> {
  const folder = await temporaryFolder();
  const port = await freePort();
  const http = sample
    .replace('listen 8080;', `listen 127.0.0.1:${port};`)
    .replace('127.0.0.1:3000', new URL(serviceOrigin).host);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${kind};`);
  const main = process.getuid?.() === 0 ? 'user root;\n' : '';
  const config = `${main}pid nginx.pid;\nevents {}\nhttp {\naccess_log off;\n${paths.join('\n')}\n${http}\n}\n`;
  await writeFile(join(folder.path, 'nginx.conf'), config);
  const server = spawn(
    'nginx',
    ['-p', folder.path, '-c', 'nginx.conf', '-e', 'stderr', '-g', 'daemon off; error_log stderr;'],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
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
