import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Network } from '../../../src/egress/network.js';
import { DockerRuntimeDriver } from '../../../src/runtimes/drivers/docker-runtime.driver.js';
import { runtimeDriverContract } from '../../contracts/runtime-driver.contract.js';
import { dockerEngineHere, type DockerEngine } from '../../support/engines/docker-engine.js';
import { startInternsStage, type InternsStage } from '../../support/interns/interns-stage.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { openTlsWorld, type TlsWorld } from '../../support/engines/tls-world.js';

const IMAGE = 'gatehouse-test-node';
const VALUE = `sk-${randomBytes(16).toString('hex')}`;

// Evaluated before the tests are declared, because it decides whether they run.
const folder = await temporaryFolder();
const found = await dockerEngineHere(folder.path, IMAGE);
const engine = typeof found === 'string' ? undefined : found;
if (typeof found === 'string') {
  await folder.remove();
  process.stderr.write(`SKIPPED: interns in containers were not tested: ${found}\n`);
}

(engine ? describe : describe.skip)('interns in containers, on a real Docker Engine', () => {
  const { docker, dataRoot, socketPath } = engine ?? ({} as DockerEngine);
  afterAll(async () => {
    await engine?.stop();
    await folder.remove();
  }, 60_000);
  const options = () => ({ socketPath, image: `${IMAGE}:test`, memoryMb: 256 });

  describe('the driver', () => {
    runtimeDriverContract(() => ({
      driver: new DockerRuntimeDriver(options()),
      readDisk: (place, name) =>
        readFile(
          join(dataRoot, 'volumes', `gatehouse-intern-${place.internId}`, '_data', '.intern', name),
          'utf8',
        ).catch(() => undefined),
    }));
  });

  describe('the boundary of a container:', () => {
    let world: TlsWorld;
    let stage: InternsStage;
    let internId: string;
    beforeAll(async () => {
      world = await openTlsWorld();
      const authorities = join(folder.path, 'authorities.pem');
      await writeFile(authorities, world.authority);
      const { image, memoryMb } = options();
      stage = await startInternsStage({
        env: {
          INTERN_RUNTIME: 'docker',
          INTERN_LEASE_MS: '9999',
          INTERN_DOCKER_SOCKET: socketPath,
          INTERN_DOCKER_IMAGE: image,
          INTERN_MEMORY_MB: String(memoryMb),
          EGRESS_PRIVATE_HOSTS: 'api.bound.test,elsewhere.test',
          EGRESS_CA_FILE: authorities,
        },
      });
      Object.assign(stage.app.get(Network, { strict: false }), {
        resolve: async () => [{ address: '127.0.0.1', family: 4 }],
        portFor: (_: string, port: number) => (port === 80 ? world.plain : world.trusted),
      });
      await stage.standard.put('/vault/secrets/api_token', { json: { value: VALUE, hosts: ['api.bound.test'] } });
      internId = (await stage.standard.post('/interns', { json: { name: 'inside', provision: true } })).json.id;
      for (const until = performance.now() + 60_000; ; await sleep(100)) {
        const { json } = await stage.standard.get(`/interns/${internId}`);
        if (json.status === 'running') break;
        if (json.status === 'failed' || performance.now() > until)
          throw new Error(`it does not run: ${json.status} ${json.last_failure_message}`);
      }
    }, 120_000);
    afterAll(async () => {
      await stage.stop();
      await world.close();
    }, 60_000);

    /**
     * Runs JavaScript in the intern's container, as the intern's user. If a busy machine paused for longer than a lease
     * and the container was removed, repeats it in the next container.
     */
    async function inside(script: string): Promise<string> {
      for (const until = performance.now() + 40_000; ; await sleep(250)) {
        const said = await execution(script).catch((error: { statusCode?: number }) => {
          if (error.statusCode !== 404 && error.statusCode !== 409) throw error;
          return '';
        });
        if ((said !== '' && !said.startsWith('OCI runtime')) || performance.now() > until) return said;
      }
    }

    async function execution(script: string): Promise<string> {
      const container = docker.getContainer(`gatehouse-intern-${internId}`);
      const exec = await container.exec({
        Cmd: ['node', '--input-type=module', '-e', script],
        AttachStdout: true,
        AttachStderr: true,
      });
      const stream = await exec.start({});
      const output = new PassThrough();
      docker.modem.demuxStream(stream, output, output);
      stream.on('end', () => output.end());
      return (await text(output)).trim();
    }

    it('the host of a secret is reached through the proxy, which inserts the secret', async () => {
      const said = await inside(
        `const headers = { authorization: 'Bearer __vault__api_token__' };
         const answer = await fetch('https://api.bound.test/x', { headers });
         console.log(answer.status, await answer.text());`,
      );
      expect(said).toMatch(/^200 /);
      expect(said).not.toContain(VALUE);
      expect(
        world.arrivals
          .filter((arrival) => arrival.text.includes(VALUE))
          .map(({ servername, host }) => [servername, host]),
      ).toEqual([['api.bound.test', 'api.bound.test']]);
    }, 60_000);

    it('every other connection fails', async () => {
      const addresses = Object.values(networkInterfaces())
        .flat()
        .filter((entry) => entry!.family === 'IPv4')
        .map((entry) => entry!.address);
      const targets = [...addresses, '127.0.0.1'].map((host) => ({ host, port: world.plain }));
      const script = `
        import { connect } from 'node:net';
        import { createSocket } from 'node:dgram';
        import { lookup } from 'node:dns/promises';
        const opens = (target) => new Promise((resolve) => {
          const socket = connect(target);
          socket.on('connect', () => resolve('open')).on('error', (error) => resolve(error.code));
          setTimeout(() => resolve('silent'), 3000);
        });
        const found = {};
        const outside = [{ host: '1.1.1.1', port: 443 }, { host: '169.254.169.254', port: 80 }];
        for (const target of [...${JSON.stringify(targets)}, ...outside]) found[target.host] = await opens(target);
        found.dns = await lookup('example.com').then(() => 'open', (error) => error.code);
        found.udp = await new Promise((resolve) =>
          createSocket('udp4').send('x', 53, '1.1.1.1', (error) => resolve(error ? error.code : 'open')));
        found.docker = await opens({ path: '/var/run/docker.sock' });
        console.log(JSON.stringify(found)); process.exit();`;
      const found = JSON.parse(await inside(script)) as Record<string, string>;
      expect(Object.keys(found).length).toBeGreaterThan(5);
      for (const [way, outcome] of Object.entries(found))
        expect([way, outcome]).toEqual([
          way,
          expect.stringMatching(/^(ENETUNREACH|ECONNREFUSED|EAI_AGAIN|ENOTFOUND|ENOENT|EACCES|silent)$/),
        ]);
    }, 60_000);

    it('an intern has its own user, no capability, a read-only root and limits, but not its secret value', async () => {
      const seen = JSON.parse(
        await inside(`
        import { readFileSync, writeFileSync, readdirSync } from 'node:fs';
        const attempt = (act) => { try { act(); return 'done'; } catch (error) { return error.code; } };
        console.log(JSON.stringify({
          uid: process.getuid(),
          capabilities: /CapEff:\\s*(\\w+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1],
          root: attempt(() => writeFileSync('/x', '')),
          disk: attempt(() => writeFileSync('/home/intern/x', '')),
          agent: attempt(() => writeFileSync('/opt/gatehouse/agent/intern-agent.ts', '')),
          interfaces: readdirSync('/sys/class/net'),
          environment: readFileSync('/proc/1/environ', 'latin1') + readFileSync('/proc/1/cmdline', 'latin1'),
        }));`),
      ) as Record<string, unknown>;
      expect(seen).toMatchObject({
        capabilities: '0000000000000000',
        root: 'EROFS',
        disk: 'done',
        agent: 'EROFS',
        interfaces: ['lo'],
      });
      expect(seen['uid']).toBeGreaterThanOrEqual(2_000_000);
      expect(String(seen['environment'])).not.toContain(VALUE);
      const { HostConfig: limits } = await docker.getContainer(`gatehouse-intern-${internId}`).inspect();
      expect(limits).toMatchObject({
        NetworkMode: 'none',
        ReadonlyRootfs: true,
        PidsLimit: 256,
        Memory: 268_435_456,
        CapDrop: ['ALL'],
      });
    }, 60_000);

    it('an intern is suspended, resumes with its disk, and is deleted with its container and volume', async () => {
      const status = async (): Promise<string | number> =>
        stage.standard
          .get(`/interns/${internId}`)
          .then((answer) => (answer.status === 200 ? answer.json.status : answer.status));
      await stage.standard.post(`/interns/${internId}/suspend`);
      expect(await status()).toBe('stopped');
      await stage.standard.post(`/interns/${internId}/provision`);
      for (const until = performance.now() + 60_000; (await status()) !== 'running' && performance.now() < until;)
        await sleep(100);
      const { boots } = JSON.parse(
        await inside(`import { readFileSync } from 'node:fs'; console.log(readFileSync('.intern/state.json', 'utf8'))`),
      ) as { boots: number };
      expect(boots).toBeGreaterThanOrEqual(2);
      await stage.standard.delete(`/interns/${internId}`);
      for (const until = performance.now() + 60_000; (await status()) !== 404 && performance.now() < until;)
        await sleep(100);
      expect(await status()).toBe(404);
      expect(await docker.listContainers({ all: true })).toEqual([]);
      expect((await docker.listVolumes()).Volumes ?? []).toEqual([]);
    }, 150_000);
  });
});
