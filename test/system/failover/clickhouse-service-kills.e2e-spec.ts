import { setTimeout as sleep } from 'node:timers/promises';
import { parseGenerationId } from '../../../src/kernel/ids.js';
import {
  clickHouseAddress,
  HttpClickHouseConnection,
} from '../../../src/usage/drivers/clickhouse/http-clickhouse-connection.js';
import { expectCallsFed } from '../../support/analytics/calls-fed.js';
import { ClickHouseReplicas } from '../../support/analytics/clickhouse-replicas.js';
import { eventually } from '../../support/eventually.js';
import { LONG_TESTS } from '../../support/long-tests.js';
import { ChatLoad } from '../../support/money/chat-load.js';
import { RandomNumbers } from '../../support/random-numbers.js';
import { TEST_API_KEY } from '../../support/services/test-service.js';

const KILLS = LONG_TESTS ? 60 : 2;
const REPLICAS = 2;
const CALLERS = 2;

describe('two replicas that write to ClickHouse, one at a time', () => {
  const random = new RandomNumbers(21);
  let replicas: ClickHouseReplicas;

  beforeAll(async () => {
    replicas = await ClickHouseReplicas.start(REPLICAS);
  }, 180_000);
  afterAll(() => replicas.stop());

  it(`store each call in ClickHouse exactly once after ${KILLS} kills of the writing replica`, async () => {
    const loads = replicas.services.map(
      (_, seed) => new ChatLoad(() => replicas.services[seed]!.origin, TEST_API_KEY, CALLERS, { seed }),
    );
    const holders = new Set<string>();
    for (let kill = 0; kill < KILLS; kill++) {
      // The first replica is the first writer, then the replicas alternate.
      const victim = kill % REPLICAS;
      await eventually(async () => {
        const [feed] = await replicas.sql.query<{ holder: string }>(
          'select holder from clickhouse_feed where holder is not null and holder <> all($1)',
          [[...holders]],
        );
        holders.add(feed!.holder);
      }, 30_000);
      await sleep(random.int(500, 3_000));
      await replicas.kill(victim);
      // The other replica becomes the writer. The next iteration kills that replica.
      await replicas.expireLease();
      await replicas.startOne(victim);
    }
    const seen = (await Promise.all(loads.map((load) => load.stop()))).flat();

    const answered = seen.filter(({ whole }) => whole).map(({ generationId }) => parseGenerationId(generationId!)!);
    expect(answered.length).toBeGreaterThan(KILLS);
    const connection = new HttpClickHouseConnection(clickHouseAddress(replicas.clickhouse.url));
    await expectCallsFed(replicas.sql, connection);
    const [recorded] = await replicas.sql.query<{ calls: number }>(
      'select count(*)::int as calls from generation where id = any($1)',
      [answered],
    );
    expect(recorded!.calls).toBe(answered.length);
    await connection.close();
    process.stdout.write(`${JSON.stringify({ kills: KILLS, answered: answered.length })}\n`);
  }, 1_800_000);
});
