import { LONG_TESTS } from '../../support/long-tests.js';
import { unknownOutcomes } from '../../support/money/count-the-streams.js';
import { StreamKills } from '../../support/money/stream-kills.js';
import { postmasterPid } from '../../support/services/service-process.js';

const ROUNDS = LONG_TESTS ? 20 : 1;

describe('streams of text while processes are killed', () => {
  let stage: StreamKills;
  beforeAll(async () => {
    stage = await StreamKills.open();
  }, 120_000);
  afterAll(() => stage.close(), 60_000);

  it(
    `are billed exactly once if the caller received the usage before kill -9 of the service, ${ROUNDS} times`,
    async () => {
      let lost = 0;
      for (let round = 0; round < ROUNDS; round++) {
        const lostBefore = await unknownOutcomes(stage.sql);
        const load = stage.load(round);
        await stage.underWay(load);
        const unlistedSince = StreamKills.unlistedSince();
        stage.service.kill('SIGKILL');
        await stage.service.exited;
        const stopped = load.stop();
        await stage.restart();
        lost += await stage.count(await stopped, { lostBefore, unlistedSince });
      }
      // The load never pauses, so each kill interrupts streams.
      expect(lost).toBeGreaterThan(0);
    },
    ROUNDS * 60_000 + 60_000,
  );

  it(
    `are billed exactly once if the caller received the usage before kill -9 of PostgreSQL, ${ROUNDS} times`,
    async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const lostBefore = await unknownOutcomes(stage.sql);
        const load = stage.load(round);
        await stage.underWay(load);
        const seenBefore = load.seen.length;
        process.kill(await postmasterPid(stage.dataDir), 'SIGKILL');
        await stage.servesAgain(load, seenBefore);
        await stage.count(await load.stop(), { lostBefore, mayLoseReservations: true });
      }
    },
    ROUNDS * 60_000 + 60_000,
  );
});
