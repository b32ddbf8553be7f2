import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { chown, cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { aBoot, aPlace, runtimeDriverContract } from '../../../test/contracts/runtime-driver.contract.js';
import { temporaryFolder, type TemporaryFolder } from '../../../test/support/temporary-folder.js';
import { ownUserIdRange } from '../../machine/user-id-range.js';
import { ProcessRuntimeDriver } from './process-runtime.driver.js';
import { isAlive, markOf, type ProcessMark } from './process-table.js';

const asRoot = process.getuid?.() === 0;
const whenRoot = asRoot && process.platform === 'linux' ? it : it.skip;
const whenLinux = process.platform === 'linux' ? it : it.skip;

describe('the process driver of interns', () => {
  let folder: TemporaryFolder;
  let driver: ProcessRuntimeDriver;
  beforeAll(async () => {
    folder = await temporaryFolder();
    driver = new ProcessRuntimeDriver(dataDir());
  });
  afterAll(() => folder.remove());
  /** The folder does not exist before the first intern. */
  const dataDir = (): string => join(folder.path, 'data');
  const fileOf = (internId: string, ...path: string[]): string => join(dataDir(), 'interns', internId, ...path);
  const markFor = async (internId: string): Promise<ProcessMark> =>
    JSON.parse(await readFile(fileOf(internId, 'runtime.json'), 'utf8')) as ProcessMark;

  runtimeDriverContract(() => ({
    driver,
    readDisk: (place, name) => readFile(fileOf(place.internId, 'home', '.intern', name), 'utf8').catch(() => undefined),
  }));

  it('runs each intern as its own user if the service is root, without the environment of the service', async () => {
    const place = aPlace();
    await driver.prepare(place);
    const runtime = await driver.start(aBoot(place, 1));
    const { pid } = await markFor(place.internId);
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const environment = readFileSync(`/proc/${pid}/environ`, 'latin1');
    await runtime.stop();
    await driver.remove(place);
    const user = asRoot
      ? (await ownUserIdRange(dataDir())).intern(place.no)
      : { uid: process.getuid!(), gid: process.getgid!() };
    expect([/^Uid:\s+(\d+)/m.exec(status)![1], /^Gid:\s+(\d+)/m.exec(status)![1]]).toEqual([
      String(user.uid),
      String(user.gid),
    ]);
    if (asRoot) expect(user.uid).toBeGreaterThanOrEqual(2_000_000);
    expect(
      environment
        .split('\0')
        .filter(Boolean)
        .map((entry) => entry.split('=')[0]),
    ).toEqual(['PATH', 'HOME', 'LANG']);
    expect(environment).not.toContain('sk-of-this-boot');
  });

  whenRoot(
    'ends processes that have left the process group of their intern, and no other process with its user id',
    async () => {
      const place = aPlace();
      await driver.prepare(place);
      const runtime = await driver.start(aBoot(place, 1));
      const user = (await ownUserIdRange(dataDir())).intern(place.no);
      const children = [user, { uid: user.uid, gid: user.uid }, { uid: user.uid, gid: 0 }].map((as) =>
        spawn('sleep', ['600'], { ...as, cwd: '/', detached: true, stdio: 'ignore' }),
      );
      const [hidden, ...strangers] = children;
      try {
        await Promise.all(children.map((child) => once(child, 'spawn')));
        await runtime.stop();
        await driver.stop(place, 2);
        if (hidden!.signalCode === null) await once(hidden!, 'exit');
        expect(hidden!.signalCode).toBe('SIGKILL');
        expect(strangers.map(({ exitCode, signalCode }) => exitCode ?? signalCode)).toEqual([null, null]);
      } finally {
        for (const child of children) child.kill('SIGKILL');
        await driver.remove(place);
      }
    },
    60_000,
  );

  whenLinux(
    'does not end the interns of a data folder if it runs with a copy of this folder',
    async () => {
      const place = aPlace();
      await driver.prepare(place);
      const runtime = await driver.start(aBoot(place, 1));
      const copy = join(folder.path, 'copy');
      await cp(dataDir(), copy, { recursive: true });
      const other = new ProcessRuntimeDriver(copy);
      await other.prepare(place);
      await other.stop(place, 2);
      expect(await runtime.isHealthy()).toBe(true);
      if (asRoot)
        expect(statSync(join(copy, 'interns', place.internId, 'home')).uid).not.toBe(
          statSync(fileOf(place.internId, 'home')).uid,
        );
      await runtime.stop();
      await driver.remove(place);
    },
    60_000,
  );

  whenRoot('gives all files of a disk to the current user id of the intern', async () => {
    const place = aPlace();
    await driver.prepare(place);
    const [home, deep] = [fileOf(place.internId, 'home'), fileOf(place.internId, 'home', 'deep')];
    await mkdir(deep);
    await writeFile(join(deep, 'file'), 'x');
    await writeFile(join(folder.path, 'outside'), 'x');
    await symlink(join(folder.path, 'outside'), join(deep, 'link'));
    for (const path of [home, deep, join(deep, 'file')]) await chown(path, 1_999_999_999, 1_999_999_999);
    await driver.prepare(place);
    const { uid, gid } = (await ownUserIdRange(dataDir())).intern(place.no);
    for (const path of [home, deep, join(deep, 'file')])
      expect([statSync(path).uid, statSync(path).gid]).toEqual([uid, gid]);
    expect(statSync(join(folder.path, 'outside')).uid).toBe(0);
    await driver.remove(place);
  });

  it('passes the key of the boot in a pipe, so that no argument, environment or file contains the key', async () => {
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

  it('ends an intern when its supervisor ends, even by kill -9', async () => {
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
      ['--import', './dev/typescript-loader.ts', '--input-type=module', '-e', script],
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

  it('ends an intern whose process was stopped by SIGSTOP beyond `until`, as soon as it continues', async () => {
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
