import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FrozenPostgres } from '../../support/database/frozen-postgres.js';
import { PowerLoss } from '../../support/database/power-loss.js';
import { LONG_TESTS } from '../../support/long-tests.js';
import { unknownOutcomes } from '../../support/money/count-the-streams.js';
import { StreamKills } from '../../support/money/stream-kills.js';
import { RandomNumbers } from '../../support/random-numbers.js';
import { committerOf, workersOf } from '../../support/services/child-processes.js';
import { postmasterPid } from '../../support/services/service-process.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';

/** The number of power losses. With `LOSSES_FROM`, a run begins at a later loss. */
const LOSSES = LONG_TESTS ? 30 : 2;
const FROM = Number(process.env['LOSSES_FROM'] ?? 0);
const SEED = Number(process.env['LOSSES_SEED'] ?? 1);
/** The time between the last checkpoint and the loss. */
const [MIN_MS, MAX_MS] = LONG_TESTS ? [200, 8_000] : [200, 2_000];

describe('streams of text on two workers, interrupted by power losses', () => {
  let stage: StreamKills;
  let folder: TemporaryFolder;
  beforeAll(async () => {
    folder = await temporaryFolder();
    stage = await StreamKills.open({ WORKERS: '2' });
    // Only the test triggers checkpoints. Small shared buffers, after the next start, make PostgreSQL write pages
    // between checkpoints too.
    for (const setting of [`checkpoint_timeout = '1h'`, `max_wal_size = '4GB'`, `shared_buffers = '1MB'`])
      await stage.sql.query(`alter system set ${setting}`);
    await stage.sql.query('select pg_reload_conf()');
  }, 120_000);
  afterAll(async () => {
    await stage.close();
    await folder.remove();
  }, 60_000);

  const freeze = async (): Promise<FrozenPostgres> =>
    FrozenPostgres.freeze(await postmasterPid(stage.dataDir), stage.url);

  it(
    `are billed exactly once if the caller received the usage (${LOSSES} losses of unsynchronised data)`,
    async () => {
      const dataFolder = join(stage.dataDir, 'postgres', 'data');
      for (let loss = FROM; loss < LOSSES; loss++) {
        const random = new RandomNumbers(SEED * 1_000 + loss);
        const lostBefore = await unknownOutcomes(stage.sql);
        await stage.sql.query('checkpoint');
        const frozen = await freeze();
        const power = await PowerLoss.afterCheckpoint(dataFolder, join(folder.path, `copy-${loss}`));
        frozen.thaw();
        const load = stage.load(loss);
        await stage.underWay(load, () => 0);
        await sleep(random.int(MIN_MS, MAX_MS));

        const unlistedSince = StreamKills.unlistedSince();
        const server = await freeze();
        const { pid } = stage.service;
        const processes = [pid, await committerOf(pid), ...(await workersOf(pid))];
        processes.forEach((id) => process.kill(id, 'SIGKILL'));
        await server.kill();
        const stopped = load.stop();
        const lost = await power.take(server.log.flushed, server.log.segmentBytes, random);
        process.stdout.write(`loss ${loss} (LOSSES_SEED=${SEED}): ${JSON.stringify(lost)}\n`);
        await stage.restart();
        await stage.count(await stopped, { lostBefore, unlistedSince, mayLoseReservations: true });
      }
    },
    LOSSES * 60_000 + 60_000,
  );
});
