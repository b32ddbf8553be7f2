import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { aBoot, aPlace, runtimeDriverContract } from '../../../test/contracts/runtime-driver.contract.js';
import { temporaryFolder, type TemporaryFolder } from '../../../test/support/temporary-folder.js';
import { ProcessRuntimeDriver } from './process-runtime.driver.js';
import { isAlive, markOf, type ProcessMark } from './process-table.js';

describe('interns as processes', () => {
  let folder: TemporaryFolder;
  let driver: ProcessRuntimeDriver;
  beforeAll(async () => {
    folder = await temporaryFolder();
    driver = new ProcessRuntimeDriver(dataDir());
  });
  afterAll(() => folder.remove());
  /** Not there before the first intern. */
  const dataDir = (): string => join(folder.path, 'data');
  const fileOf = (internId: string, ...path: string[]): string => join(dataDir(), 'interns', internId, ...path);
  const markFor = async (internId: string): Promise<ProcessMark> =>
    JSON.parse(await readFile(fileOf(internId, 'runtime.json'), 'utf8')) as ProcessMark;

  runtimeDriverContract(() => ({
    driver,
    readDisk: (place, name) => readFile(fileOf(place.internId, 'home', '.intern', name), 'utf8').catch(() => undefined),
  }));

  it("runs each intern in a folder and, as root, as a user of its own, with nothing of the service's environment", async () => {
    const place = aPlace();
    await driver.prepare(place);
    const runtime = await driver.start(aBoot(place, 1));
    const { pid } = await markFor(place.internId);
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const environment = readFileSync(`/proc/${pid}/environ`, 'latin1');
    await runtime.stop();
    await driver.remove(place);
    expect(/^Uid:\s+(\d+)/m.exec(status)![1]).toBe(
      process.getuid!() === 0 ? String(2_000_000 + place.no) : String(process.getuid!()),
    );
    expect(
      environment
        .split('\0')
        .filter(Boolean)
        .map((entry) => entry.split('=')[0]),
    ).toEqual(['PATH', 'HOME', 'LANG']);
    expect(environment).not.toContain('sk-of-this-boot');
  });

  it('hands the key of the boot over in a pipe: it is in no argument, no environment and no file', async () => {
    const place = aPlace();
    await driver.prepare(place);
    const runtime = await driver.start(aBoot(place, 1));
    const { pid } = await markFor(place.internId);
    const seen = [
      readFileSync(`/proc/${pid}/cmdline`, 'latin1'),
      readFileSync(`/proc/${pid}/environ`, 'latin1'),
      ...filesUnder(fileOf(place.internId)).map((file) => readFileSync(file, 'latin1')),
    ];
    await runtime.stop();
    await driver.remove(place);
    expect(seen.length).toBeGreaterThan(4);
    for (const text of seen) expect(text).not.toContain('sk-of-this-boot');
  });

  it('an intern dies with its supervisor, even one that was killed with kill -9', async () => {
    const place = aPlace();
    const script = `
      import { ProcessRuntimeDriver } from './src/runtimes/drivers/process-runtime.driver.ts';
      import { aBoot } from './test/contracts/runtime-driver.contract.ts';
      const place = ${JSON.stringify(place)};
      const driver = new ProcessRuntimeDriver(${JSON.stringify(dataDir())});
      await driver.prepare(place);
      await driver.start(aBoot(place, 1));
      console.log('started');
      setInterval(() => undefined, 1000);`;
    const supervisor = spawn(
      process.execPath,
      ['--import', '@swc-node/register/esm-register', '--input-type=module', '-e', script],
      { cwd: resolve(import.meta.dirname, '../../..'), stdio: ['ignore', 'pipe', 'inherit'] },
    );
    await once(supervisor.stdout, 'data');
    const agent = await markFor(place.internId);
    expect(isAlive(agent)).toBe(true);
    supervisor.kill('SIGKILL');
    await once(supervisor, 'exit');
    const until = performance.now() + 10_000;
    while (isAlive(agent) && performance.now() < until) await sleep(50);
    expect(isAlive(agent)).toBe(false);
    await driver.remove(place);
  }, 60_000);

  it('an intern that was stalled past its time dies as soon as it goes on', async () => {
    const place = aPlace();
    await driver.prepare(place);
    const runtime = await driver.start(aBoot(place, 1, 5_000));
    const agent = await markFor(place.internId);
    process.kill(agent.pid, 'SIGSTOP');
    expect(await runtime.isHealthy()).toBe(false);
    runtime.extend(Date.now() + 60_000);
    await sleep(500);
    process.kill(agent.pid, 'SIGCONT');
    expect(await runtime.ended).toEqual(expect.any(String));
    expect(isAlive(markOf(agent.pid))).toBe(false);
    await driver.remove(place);
  }, 30_000);
});

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
