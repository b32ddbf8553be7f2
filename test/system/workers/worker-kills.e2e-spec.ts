import { LONG_TESTS } from '../../support/long-tests.js';
import { unknownOutcomes } from '../../support/money/count-the-streams.js';
import { StreamKills } from '../../support/money/stream-kills.js';
import { RandomNumbers } from '../../support/random-numbers.js';
import { committerOf, workersOf } from '../../support/services/child-processes.js';
import { postmasterPid } from '../../support/services/service-process.js';

const VICTIMS = ['worker', 'committer', 'supervisor', 'PostgreSQL'] as const;
/** The number of kills, distributed evenly over the victims. With `KILLS_FROM`, a run begins at a later kill. */
const KILLS = LONG_TESTS ? 300 : VICTIMS.length;
const FROM = Number(process.env['KILLS_FROM'] ?? 0);
const SEED = Number(process.env['KILLS_SEED'] ?? 1);

describe('streams of text on three workers while processes are killed', () => {
  let stage: StreamKills;
  beforeAll(async () => {
    stage = await StreamKills.open({ WORKERS: '3' });
  }, 120_000);
  afterAll(() => stage.close(), 60_000);

  const pidOf = async (victim: (typeof VICTIMS)[number], random: RandomNumbers): Promise<number> => {
    const { pid } = stage.service;
    switch (victim) {
      case 'worker':
        return random.pick(await workersOf(pid));
      case 'committer':
        return committerOf(pid);
      case 'supervisor':
        return pid;
      default:
        return postmasterPid(stage.dataDir);
    }
  };

  it(
    `are billed exactly once if the caller received the usage (${KILLS} kills)`,
    async () => {
      for (let kill = FROM; kill < KILLS; kill++) {
        const random = new RandomNumbers(SEED * 1_000 + kill);
        const victim = VICTIMS[kill % VICTIMS.length]!;
        process.stdout.write(`kill ${kill} (seed ${SEED}): ${victim}\n`);
        const lostBefore = await unknownOutcomes(stage.sql);
        const load = stage.load(kill);
        await stage.underWay(load, () => random.next());
        const [unlistedSince, seenBefore] = [StreamKills.unlistedSince(), load.seen.length];
        process.kill(await pidOf(victim, random), 'SIGKILL');
        if (victim === 'supervisor') {
          const stopped = load.stop();
          await stage.restart();
          await stage.count(await stopped, { lostBefore, unlistedSince, mayLoseReservations: true });
        } else {
          const isDatabase = victim === 'PostgreSQL';
          await (isDatabase ? stage.servesAgain(load, seenBefore) : stage.underWay(load, () => 0, seenBefore));
          await stage.count(await load.stop(), { lostBefore, unlistedSince, mayLoseReservations: isDatabase });
        }
      }
    },
    KILLS * 60_000 + 60_000,
  );
});
