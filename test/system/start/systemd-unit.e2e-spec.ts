import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, readFileSync } from 'node:fs';
import { VARIABLES } from '../../../src/config/variables.js';
import { createTestDatabase } from '../../support/database/test-database.js';
import { untilReady } from '../../support/services/service-process.js';
import { TEST_API_KEY, TEST_MANAGEMENT_KEY } from '../../support/services/test-service.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const UNIT = 'deploy/systemd/gatehouse.service';
const unit = readFileSync(UNIT, 'utf8');
const deployment = readFileSync('deploy/kubernetes/base/deployment.yaml', 'utf8');
const NOBODY = 65_534;
const setting = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)![1]!;

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
if (!hasSystemd) process.stderr.write('systemd-analyze is not installed: its test is skipped\n');
const whenSystemd = hasSystemd ? it : it.skip;

/** An ordinary user, if the tests run as root and other users can read this folder. */
const user = (): number | undefined =>
  process.getuid?.() === 0 && spawnSync(process.execPath, ['-e', ''], { uid: NOBODY, gid: NOBODY }).status === 0
    ? NOBODY
    : undefined;

describe('the unit of systemd', () => {
  whenSystemd('is accepted by systemd-analyze', () => {
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', UNIT], { encoding: 'utf8' });
    // Other units of the machine have warnings too. The program and the user need not exist on this machine.
    const about = stderr.split('\n').filter((line) => line.includes('gatehouse') && !/not executable/.test(line));
    expect([about, status === 0 || /not executable/.test(stderr)]).toEqual([[], true]);
  });

  it('waits longer before it kills than the service takes to stop', () => {
    const ms = Number(VARIABLES.SHUTDOWN_DELAY_MS.default) + Number(VARIABLES.SHUTDOWN_TIMEOUT_MS.default);
    expect(Number(setting('TimeoutStopSec')) * 1_000).toBeGreaterThan(ms);
  });

  it('starts a service that responds to the probes of Kubernetes, and ends with 0 on SIGTERM', async () => {
    const [program, ...words] = setting('ExecStart').split(' ');
    expect(program).toBe('/usr/bin/node');
    const [database, folder] = [await createTestDatabase(), await temporaryFolder()];
    const uid = user();
    if (uid !== undefined) chownSync(folder.path, uid, uid);
    const environment = Object.fromEntries(
      setting('Environment')
        .split(' ')
        .map((pair) => pair.split('=') as [string, string]),
    );
    const child = spawn(process.execPath, words, {
      env: {
        ...environment,
        DATA_DIR: folder.path,
        PORT: '0',
        DATABASE_URL: database.url,
        MASTER_KEY: 'a1'.repeat(32),
        MIGRATE: 'off',
        BOOTSTRAP_MANAGEMENT_KEY: TEST_MANAGEMENT_KEY,
        BOOTSTRAP_API_KEY: TEST_API_KEY,
      },
      uid,
      gid: uid,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    const exited = once(child, 'close').then(([code]) => code as number | null);
    const kill = (signal: NodeJS.Signals): void => void child.kill(signal);
    const service = await untilReady({ child, pid: child.pid!, output: () => output, kill, exited });
    const paths = [...deployment.matchAll(/httpGet: \{ path: (\S+),/g)].map(([, path]) => path!);
    expect(paths).toEqual(['/healthz', '/healthz', '/readyz']);
    for (const path of paths) expect([path, (await fetch(service.origin + path)).status]).toEqual([path, 200]);
    kill('SIGTERM');
    expect(await exited).toBe(0);
    await database.drop();
    await folder.remove();
  }, 90_000);
});
