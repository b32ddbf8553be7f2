import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { agentsIn, RuntimeWatch } from '../../support/interns/intern-agents.js';
import { startInternsStage, type InternsStage, type Member } from '../../support/interns/interns-stage.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';

/** The number of rounds. INTERN_KILL_ROUNDS overrides it. */
const ROUNDS = Number(process.env['INTERN_KILL_ROUNDS'] ?? (process.env['LONG_TESTS'] ? 500 : 2));
const INTERNS = 5;
const LEASE_MS = 2_000;
const PROVISION_TIMEOUT_MS = 20_000;
const MASTER_KEY = randomBytes(32).toString('hex');

describe('two workers, killed at random over the whole life cycle', () => {
  let stage: InternsStage;
  let folder: TemporaryFolder;
  let me: Member;
  let watch: RuntimeWatch;
  const workers: ChildProcess[] = [];
  let dataDir: string;

  beforeAll(async () => {
    folder = await temporaryFolder();
    dataDir = join(folder.path, 'data');
    stage = await startInternsStage({
      env: { MASTER_KEY, INTERN_RUNTIME: 'none', INTERN_LIMIT_PER_MEMBER: '1000', RATE_LIMIT_ANALYTICS: 'off' },
    });
    me = await stage.member();
    watch = new RuntimeWatch(dataDir);
    await Promise.all([hire(), hire()]);
  }, 60_000);

  afterAll(async () => {
    watch.stop();
    await Promise.all(workers.map((worker) => end(worker)));
    await stage.stop();
    await folder.remove();
  }, 60_000);

  async function hire(): Promise<void> {
    const env = {
      DATABASE_URL: stage.databaseUrl,
      MASTER_KEY,
      DATA_DIR: dataDir,
      INTERN_LEASE_MS: String(LEASE_MS),
      INTERN_PROVISION_TIMEOUT_MS: String(PROVISION_TIMEOUT_MS),
    };
    const root = resolve(import.meta.dirname, '../../..');
    const worker = spawn(
      process.execPath,
      ['--import', './dev/typescript-loader.ts', 'test/system/kills/intern-worker.child.ts', JSON.stringify(env)],
      { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    workers.push(worker);
    await once(worker.stdout, 'data');
  }

  async function end(worker: ChildProcess): Promise<void> {
    if (worker.exitCode !== null || worker.signalCode !== null) return;
    worker.kill('SIGKILL');
    await once(worker, 'exit');
  }

  const pick = <T>(from: readonly T[]): T => from[randomInt(from.length)]!;
  let made = 0;
  async function doSomething(): Promise<void> {
    const ids = (await stage.sql.query<{ id: string }>(`select id from intern`)).map(({ id }) => id);
    if (ids.length < INTERNS) await me.api.post('/interns', { json: { name: `intern-${made++}`, provision: true } });
    else if (randomInt(8) === 0) await me.api.delete(`/interns/${pick(ids)}`);
    else await me.api.post(`/interns/${pick(ids)}/${pick(['provision', 'suspend'])}`);
  }

  const overdue = () =>
    stage.sql.query<{ id: string; status: string }>(
      `select id, status
       from intern
       where status in ('queued', 'provisioning', 'destroying')
         and deadline < clock_timestamp() - $1 * interval '1 millisecond'`,
      [LEASE_MS + 8_000],
    );

  it(`never leave two runtimes for one intern, or an intern beyond its deadline, in ${ROUNDS} rounds`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      for (let n = 0; n < 6; n++) {
        await doSomething();
        await sleep(randomInt(150));
      }
      const victim = workers.splice(randomInt(workers.length), 1)[0]!;
      await end(victim);
      await hire();
      expect(watch.doubles).toEqual([]);
      expect(await overdue()).toEqual([]);
      if (round % 25 === 24) process.stderr.write(`${round + 1} of ${ROUNDS} rounds\n`);
    }
    const unsettled = () =>
      stage.sql.query<{ status: string }>(
        `select status
         from intern
         where status in ('queued', 'provisioning', 'destroying') or wake_at <= clock_timestamp()
           and lease_until is null`,
      );
    for (const until = performance.now() + 90_000; (await unsettled()).length > 0 && performance.now() < until;)
      await sleep(200);
    expect(await unsettled()).toEqual([]);
    await sleep(LEASE_MS + 3_000);

    const running = await stage.sql.query<{ id: string }>(`select id from intern where status = 'running'`);
    const agents = agentsIn(dataDir);
    expect([...agents.keys()].toSorted()).toEqual(running.map(({ id }) => id).toSorted());
    expect([...agents.values()].map((marks) => marks.length)).toEqual(running.map(() => 1));
    expect(watch.doubles).toEqual([]);
    expect(watch.looks).toBeGreaterThan(50);
    // Each intern has one vault, and each running intern has one valid key.
    expect(
      await stage.sql.query(
        `select 1
         from vault v
         where v.intern_id is not null and not exists (select 1 from intern i where i.id = v.intern_id)`,
      ),
    ).toEqual([]);
    const [keys] = await stage.sql.query<{ n: number }>(
      `select count(*)::int as n from api_key where key_class = 'intern' and deleted_at is null`,
    );
    expect(keys!.n).toBe(running.length);
  }, 7_200_000);
});
