import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import Docker from 'dockerode';
import { reasonOf } from '../../../src/kernel/errors/errors.js';
import { unmount } from '../database/mounts.js';

/**
 * The features of the engine that containers of interns need; without them the tests are skipped. `AutoRemove` is not
 * set, because it is impossible to wait for the end of a removed container.
 */
const INTERN_HOST_CONFIG = {
  NetworkMode: 'none',
  ReadonlyRootfs: true,
  CapDrop: ['ALL'],
  Init: true,
  PidsLimit: 256,
  Memory: 268_435_456,
  MemorySwap: 268_435_456,
  NanoCpus: 1_000_000_000,
};
const READY_WITHIN_MS = 60_000;

/**
 * Starts a separate Docker Engine and checks that it can run a container of `<image>:test`. Returns a sentence with the
 * reason if it cannot: no root, no dockerd, or a machine on which dockerd does not work, often because it is a
 * container itself.
 */
export async function dockerEngineHere(folder: string, image: string): Promise<DockerEngine | string> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'only root on Linux can start a Docker Engine of its own';
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  const dockerd = folders.map((each) => join(each, 'dockerd')).find((file) => existsSync(file));
  if (dockerd === undefined) return 'no dockerd is installed (Debian: apt-get install docker.io)';
  let engine: DockerEngine | undefined;
  try {
    engine = await startDockerEngine(dockerd, folder);
    await importNodeImage(engine.docker, folder, image);
    const [result, probe] = (await engine.docker.run(
      `${image}:test`,
      ['node', '--version'],
      new PassThrough().resume(),
      {
        HostConfig: INTERN_HOST_CONFIG,
      },
    )) as [{ StatusCode: number }, Docker.Container];
    await probe.remove();
    if (result.StatusCode !== 0) throw new Error(`a container ended with exit code ${result.StatusCode}`);
    return engine;
  } catch (error) {
    await engine?.stop();
    return `no Docker Engine works here: ${reasonOf(error)}`;
  }
}

export interface DockerEngine {
  readonly socketPath: string;
  readonly dataRoot: string;
  readonly docker: Docker;
  stop(): Promise<void>;
}

/** Starts a separate Docker Engine, without bridges and firewall rules. */
async function startDockerEngine(dockerd: string, folder: string): Promise<DockerEngine> {
  const socketPath = join(folder, 'docker.sock');
  const dataRoot = join(folder, 'data-root');
  const args = [
    '--data-root',
    dataRoot,
    '--exec-root',
    join(folder, 'exec'),
    '--pidfile',
    join(folder, 'docker.pid'),
    '--host',
    `unix://${socketPath}`,
    '--iptables=false',
    '--ip6tables=false',
    '--bridge=none',
  ];
  const engine = spawn(dockerd, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...process.env,
      PATH: [dirname(dockerd), join(dirname(dockerd), '../bin'), process.env['PATH']].join(delimiter),
    },
  });
  let said = '';
  engine.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-4_000)));
  const docker = new Docker({ socketPath });
  for (const until = performance.now() + READY_WITHIN_MS; ; await sleep(200)) {
    if (engine.exitCode !== null || performance.now() > until) {
      await stopped(engine);
      throw new Error(`dockerd did not become ready:\n${said}`);
    }
    if (
      await docker.ping().then(
        () => true,
        () => false,
      )
    )
      break;
  }
  const stop = async (): Promise<void> => {
    await stopped(engine);
    // dockerd leaves its network namespace mounted, which would prevent deleting the folder.
    unmount(join(folder, 'exec/netns/default'));
  };
  return { socketPath, dataRoot, docker, stop };
}

async function stopped(engine: ChildProcess): Promise<void> {
  if (engine.exitCode !== null) return;
  engine.kill('SIGTERM');
  await once(engine, 'exit');
}

/** Imports an image that contains only this run's Node and the libraries that it needs. */
async function importNodeImage(docker: Docker, folder: string, name: string): Promise<void> {
  const root = join(folder, 'image-root');
  const place = (file: string, target = file): void => {
    mkdirSync(dirname(join(root, target)), { recursive: true });
    cpSync(realpathSync(file), join(root, target));
  };
  place(process.execPath, '/usr/bin/node');
  const libraries = execFileSync('ldd', [process.execPath], { encoding: 'utf8' }).matchAll(/(\/\S+) \(0x/g);
  for (const [, library] of libraries) place(library!);
  for (const empty of ['tmp', 'home/intern', 'opt/gatehouse', 'run/gatehouse', 'etc'])
    mkdirSync(join(root, empty), { recursive: true });
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0::/:/\n');
  const tarball = join(folder, 'image.tar');
  execFileSync('tar', ['-C', root, '-cf', tarball, '.']);
  const stream = await docker.importImage(tarball, { repo: name, tag: 'test' });
  await new Promise<void>((resolve, reject) =>
    docker.modem.followProgress(stream, (error) => (error ? reject(error) : resolve())),
  );
}
