import { Agent } from 'node:http';
import { Sql } from '../../../src/database/sql.js';
import { makeKey } from '../../support/api/api-builders.js';
import { apiClient } from '../../support/api/api-client.js';
import { expectBalanced, readBooks } from '../../support/money/count-the-money.js';
import { startServiceProcess, type ServiceProcess } from '../../support/services/service-process.js';
import { speakOnce } from '../../support/money/speech-load.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database.js';
import { TEST_MANAGEMENT_KEY } from '../../support/services/test-service.js';

const CALLS = 1_000;
const PAID_FOR = 137;
const INPUT = 'exact';
const PRICE_NANO = BigInt(INPUT.length) * 1_000n;

describe('a key with a limit for exactly 137 calls', () => {
  let database: TestDatabase;
  let services: ServiceProcess[];
  let sql: Sql;

  beforeAll(async () => {
    database = await createTestDatabase();
    sql = new Sql(database.url, 2);
    services = [
      await startServiceProcess({ DATABASE_URL: database.url }),
      await startServiceProcess({ DATABASE_URL: database.url }),
    ];
  }, 120_000);

  afterAll(async () => {
    for (const service of services) service.kill('SIGTERM');
    await Promise.all(services.map((service) => service.exited));
    await sql.close();
    await database.drop();
  }, 60_000);

  it('serves 137 of 1,000 simultaneous calls on two services, refuses 863, and bills to the nano-dollar', async () => {
    const management = apiClient(services[0]!.origin, TEST_MANAGEMENT_KEY);
    const created = await makeKey(management, { name: 'exact', limit: Number(PRICE_NANO * BigInt(PAID_FOR)) / 1e9 });
    const key = created.key;
    const agents = services.map(() => new Agent({ keepAlive: true, maxSockets: 250 }));

    const seen = await Promise.all(
      Array.from({ length: CALLS }, (_, index) =>
        speakOnce(services[index % 2]!.origin, key, INPUT, agents[index % 2]),
      ),
    );
    agents.forEach((agent) => agent.destroy());

    const statuses = seen.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(PAID_FOR);
    expect(statuses.filter((status) => status === 402)).toHaveLength(CALLS - PAID_FOR);
    expect(seen.filter((call) => call.status === 200 && !call.whole)).toEqual([]);
    const record = (await management.get(`/keys/${created.hash}`)).json.data;
    expect(record).toMatchObject({ usage: 0.000685, usage_daily: 0.000685, limit: 0.000685, limit_remaining: 0 });
    const books = await readBooks(sql);
    expectBalanced(books);
    expect(books).toMatchObject({ generations: PRICE_NANO * BigInt(PAID_FOR), openReservations: 0n });
  }, 180_000);
});
