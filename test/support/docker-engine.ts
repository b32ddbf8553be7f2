import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Docker from 'dockerode';

const READY_WITHIN_MS = 30_000;

/** Where `dockerd` is, or why a test of the Docker driver cannot run here. */
export function dockerdHere(): { readonly path: string } | { readonly missing: string } {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return { missing: 'only root on Linux can start a Docker Engine of its own' };
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  const path = folders.map((folder) => join(folder, 'dockerd')).find((file) => existsSync(file));
  return path ? { path } : { missing: 'no dockerd is installed (Debian: apt-get install docker.io)' };
}

export interface DockerEngine {
  readonly socketPath: string;
  readonly dataRoot: string;
  readonly docker: Docker;
  stop(): Promise<void>;
}

/** A Docker Engine of the test's own, without bridges and firewall rules. */
export async function startDockerEngine(dockerd: string, folder: string): Promise<DockerEngine> {
  const socketPath = join(folder, 'docker.sock');
  const dataRoot = join(folder, 'data-root');
  const args = ['--data-root', dataRoot, '--exec-root', join(folder, 'exec'), '--pidfile', join(folder, 'docker.pid'), '--host', `unix://${socketPath}`, '--iptables=false', '--ip6tables=false', '--bridge=none'];
  const engine = spawn(dockerd, args, { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, PATH: [dirname(dockerd), join(dirname(dockerd), '../bin'), process.env['PATH']].join(delimiter) } });
  let said = '';
  engine.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-4_000)));
  const docker = new Docker({ socketPath });
  for (const until = performance.now() + READY_WITHIN_MS; ; await sleep(200)) {
    if (engine.exitCode !== null || performance.now() > until) throw new Error(`dockerd did not become ready:\n${said}`);
    if (await docker.ping().then(() => true, () => false)) break;
  }
  return { socketPath, dataRoot, docker, stop: () => stopped(engine) };
}

async function stopped(engine: ChildProcess): Promise<void> {
  if (engine.exitCode !== null) return;
  engine.kill('SIGTERM');
  await once(engine, 'exit');
}

/** An image of nothing but this run's Node and the libraries that it needs. */
export async function importNodeImage(docker: Docker, folder: string, name: string): Promise<void> {
  const root = join(folder, 'image-root');
  const place = (file: string, target = file): void => {
    mkdirSync(dirname(join(root, target)), { recursive: true });
    cpSync(realpathSync(file), join(root, target));
  };
  place(process.execPath, '/usr/bin/node');
  const libraries = execFileSync('ldd', [process.execPath], { encoding: 'utf8' }).matchAll(/(\/\S+) \(0x/g);
  for (const [, library] of libraries) place(library!);
  for (const empty of ['tmp', 'home/intern', 'opt/gatehouse', 'run/gatehouse', 'etc']) mkdirSync(join(root, empty), { recursive: true });
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0::/:/\n');
  const tarball = join(folder, 'image.tar');
  execFileSync('tar', ['-C', root, '-cf', tarball, '.']);
  const stream = await docker.importImage(tarball, { repo: name, tag: 'test' });
  await new Promise<void>((resolve, reject) => docker.modem.followProgress(stream, (error) => (error ? reject(error) : resolve())));
}
