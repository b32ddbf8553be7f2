import { dockerEngineHere } from '../../support/engines/docker-engine.js';
import { containersOf } from '../../support/interns/intern-runtimes.js';
import { killRepeatedly } from '../../support/money/kill-times.js';
import { openKilledIntern, type KilledIntern } from '../../support/interns/killed-intern.js';
import { LONG_TESTS } from '../../support/long-tests.js';
import { RandomNumbers } from '../../support/random-numbers.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const IMAGE = 'gatehouse-test-node';
const KILLS = LONG_TESTS ? 100 : 1;
const SEED = Number(process.env['SEED'] ?? 43);

// Evaluated before the tests are declared, because it decides whether they run.
const folder = await temporaryFolder();
const found = await dockerEngineHere(folder.path, IMAGE);
const engine = typeof found === 'string' ? undefined : found;
if (typeof found === 'string') {
  await folder.remove();
  process.stderr.write(`SKIPPED: no container was killed, only agents and replicas in processes: ${found}\n`);
}

(engine ? describe : describe.skip)('an intern whose replica or container is killed in its turns', () => {
  let intern: KilledIntern;
  beforeAll(async () => {
    intern = await openKilledIntern(containersOf(engine!, IMAGE), new RandomNumbers(SEED));
  }, 120_000);
  afterAll(async () => {
    await intern.close();
    await engine!.stop();
    await folder.remove();
  }, 60_000);

  /** Kills the first process of the container. The kernel then kills the others. */
  async function killContainer(): Promise<void> {
    const { State: state } = await engine!.docker.getContainer(`gatehouse-intern-${intern.id}`).inspect();
    expect(state.Pid).toBeGreaterThan(1);
    process.kill(state.Pid, 'SIGKILL');
  }

  it(`causes no effect twice, loses no message and stays balanced in ${KILLS} kills (seed ${SEED})`, async () => {
    await killRepeatedly(KILLS, intern, { replica: () => intern.killReplica(), container: killContainer });
    await intern.expectWhole();
  }, 7_200_000);
});
