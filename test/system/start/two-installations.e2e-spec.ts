import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, type ProcessMark } from '../../../src/runtimes/drivers/process-table.js';
import { startServiceProcess, type ServiceProcess } from '../../support/services/service-process.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';
import { TEST_API_KEY } from '../../support/services/test-service.js';

const asRoot = process.platform === 'linux' && process.getuid?.() === 0;
if (!asRoot)
  process.stderr.write(
    'SKIPPED: two installations on one machine were not tested: only as root on Linux do their interns have ' +
      'different user ids\n',
  );

(asRoot ? describe : describe.skip)('two installations on one machine, both as root', () => {
  let folder: TemporaryFolder;
  const services: ServiceProcess[] = [];
  const masterKey = randomBytes(32).toString('hex');
  beforeAll(async () => {
    folder = await temporaryFolder();
    services.push(...(await Promise.all([start('a'), start('b')])));
  }, 120_000);
  afterAll(async () => {
    for (const service of services) service.kill('SIGTERM');
    await Promise.all(services.map(({ exited }) => exited));
    await folder.remove();
  }, 60_000);

  const dataDirOf = (name: string): string => join(folder.path, name);
  const start = (name: string): Promise<ServiceProcess> =>
    startServiceProcess({ DATA_DIR: dataDirOf(name), MASTER_KEY: masterKey, INTERN_LEASE_MS: '9999' });
  // oxlint-disable-next-line typescript/no-explicit-any
  async function call(service: number, method: string, path: string, json?: object): Promise<any> {
    const answer = await fetch(`${services[service]!.origin}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${TEST_API_KEY}`, ...(json ? { 'content-type': 'application/json' } : {}) },
      ...(json ? { body: JSON.stringify(json) } : {}),
    });
    return answer.json();
  }
  async function untilIs(service: number, id: string, status: string): Promise<void> {
    for (const until = performance.now() + 60_000; ; await sleep(50)) {
      const found = (await call(service, 'GET', `/interns/${id}`)).status ?? 'gone';
      if (found === status) return;
      if (performance.now() > until) throw new Error(`${id} is ${found} and not ${status}`);
    }
  }
  async function run(service: number, name: string): Promise<string> {
    const { id } = await call(service, 'POST', '/interns', { name, provision: true });
    await untilIs(service, id, 'running');
    return id;
  }
  const agentOf = async (service: number, id: string): Promise<ProcessMark> =>
    JSON.parse(await readFile(join(dataDirOf('ab'[service]!), 'interns', id, 'runtime.json'), 'utf8')) as ProcessMark;
  const userOf = ({ pid }: ProcessMark): number =>
    Number(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]);

  it("give their interns different user ids, and never change the other's interns", async () => {
    const [ofA, ofB] = [await run(0, 'first-of-a'), await run(1, 'first-of-b')];
    const [agentA, agentB] = [await agentOf(0, ofA), await agentOf(1, ofB)];
    expect([isAlive(agentA), isAlive(agentB)]).toEqual([true, true]);
    expect(userOf(agentA)).not.toBe(userOf(agentB));

    await call(0, 'POST', `/interns/${ofA}/suspend`);
    expect([isAlive(agentA), isAlive(agentB)]).toEqual([false, true]);
    await call(0, 'DELETE', `/interns/${ofA}`);
    await untilIs(0, ofA, 'gone');
    expect(isAlive(agentB)).toBe(true);
  }, 120_000);

  it('find their user ids again after a restart', async () => {
    const id = await run(0, 'stays');
    const before = userOf(await agentOf(0, id));
    services[0]!.kill('SIGTERM');
    await services[0]!.exited;
    services[0] = await start('a');
    await untilIs(0, id, 'running');
    for (const until = performance.now() + 60_000; ; await sleep(50)) {
      const agent = await agentOf(0, id);
      if (isAlive(agent)) {
        expect(userOf(agent)).toBe(before);
        return;
      }
      if (performance.now() > until) throw new Error('the intern does not run again');
    }
  }, 120_000);
});
