import { Agent } from 'node:http';
import { Sql } from '../../../src/database/sql.js';
import { makeKey } from '../../support/api/api-builders.js';
import { apiClient } from '../../support/api/api-client.js';
import { MAX_OUTPUT_TOKENS, MAX_PROMPT_TOKENS, streamOnce, WORST_CASE_NANO } from '../../support/money/chat-load.js';
import { expectBalanced, readBooks } from '../../support/money/count-the-money.js';
import { expectStreamsBilledOnce } from '../../support/money/count-the-streams.js';
import { LONG_TESTS } from '../../support/long-tests.js';
import {
  startScriptedChatVendor,
  streamEvents,
  type ScriptedChatVendor,
} from '../../support/vendors/scripted-chat-vendor.js';
import { startServiceProcess, type ServiceProcess } from '../../support/services/service-process.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database.js';
import { TEST_MANAGEMENT_KEY } from '../../support/services/test-service.js';

const CALLS = LONG_TESTS ? 1_000 : 120;
const WORKERS = LONG_TESTS ? [1, 3, 4] : [1, 3];
const PAID_FOR = LONG_TESTS ? 137 : 37;
/** What every stream uses: as much as it can. */
const USAGE = { prompt_tokens: MAX_PROMPT_TOKENS, completion_tokens: MAX_OUTPUT_TOKENS };

describe.each(WORKERS)(`a key whose limit pays for exactly ${PAID_FOR} streams, WORKERS=%i`, (workers) => {
  let database: TestDatabase;
  let vendor: ScriptedChatVendor;
  let services: ServiceProcess[];
  let sql: Sql;

  beforeAll(async () => {
    database = await createTestDatabase();
    sql = new Sql(database.url, 2);
    vendor = await startScriptedChatVendor(() => ({ events: streamEvents(MAX_OUTPUT_TOKENS, USAGE) }));
    const env = {
      DATABASE_URL: database.url,
      OPENAI_API_KEY: 'sk-vendor',
      OPENAI_BASE_URL: vendor.baseUrl,
      WORKERS: String(workers),
    };
    services = [await startServiceProcess(env), await startServiceProcess(env)];
  }, 120_000);

  afterAll(async () => {
    for (const service of services) service.kill('SIGTERM');
    await Promise.all(services.map((service) => service.exited));
    await vendor.close();
    await sql.close();
    await database.drop();
  }, 60_000);

  it(`serves ${PAID_FOR} of ${CALLS} streams at once on two services, books exactly`, async () => {
    const management = apiClient(services[0]!.origin, TEST_MANAGEMENT_KEY);
    const total = WORST_CASE_NANO * BigInt(PAID_FOR);
    const created = await makeKey(management, { name: 'exact', limit: Number(total) / 1e9 });
    const agents = services.map(() => new Agent({ keepAlive: true, maxSockets: 500 }));

    const seen = await Promise.all(
      Array.from({ length: CALLS }, (_, index) =>
        streamOnce({ origin: services[index % 2]!.origin, key: created.key, agent: agents[index % 2] }),
      ),
    );
    agents.forEach((agent) => agent.destroy());

    const served = seen.filter(({ status }) => status === 200);
    const times = Map.groupBy(seen, ({ status }) => status);
    expect(Object.fromEntries([...times].map(([status, { length }]) => [status, length]))).toEqual({
      200: PAID_FOR,
      402: CALLS - PAID_FOR,
    });
    expect(served.filter(({ whole, usage }) => !whole || !usage)).toEqual([]);
    expect(await expectStreamsBilledOnce(sql, served)).toMatchObject({ billed: PAID_FOR, lost: 0 });
    const record = (await management.get(`/keys/${created.hash}`)).json.data;
    expect(record).toMatchObject({ usage: Number(total) / 1e9, limit_remaining: 0 });
    const books = await readBooks(sql);
    expectBalanced(books);
    expect(books).toMatchObject({ generations: total, openReservations: 0n });
  }, 180_000);
});
