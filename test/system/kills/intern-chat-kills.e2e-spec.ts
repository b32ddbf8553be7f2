import { agentsIn } from '../../support/interns/intern-agents.js';
import { PROCESSES } from '../../support/interns/intern-runtimes.js';
import { openKilledIntern, type KilledIntern } from '../../support/interns/killed-intern.js';
import { killRepeatedly } from '../../support/money/kill-times.js';
import { LONG_TESTS } from '../../support/long-tests.js';
import { RandomNumbers } from '../../support/random-numbers.js';

const KILLS = LONG_TESTS ? 200 : 2;
const SEED = Number(process.env['SEED'] ?? 41);

describe('an intern with a replica or an agent that is killed in its turns', () => {
  let intern: KilledIntern;
  beforeAll(async () => {
    intern = await openKilledIntern(PROCESSES, new RandomNumbers(SEED));
  }, 120_000);
  afterAll(() => intern.close(), 60_000);

  const killAgent = async (): Promise<void> => {
    for (const { pid } of agentsIn(intern.dataDir).get(intern.id) ?? []) process.kill(pid, 'SIGKILL');
  };

  it(`causes no effect twice, loses no message and stays balanced in ${KILLS} kills (seed ${SEED})`, async () => {
    await killRepeatedly(KILLS, intern, { replica: () => intern.killReplica(), agent: killAgent });
    await intern.expectWhole();
  }, 7_200_000);
});
