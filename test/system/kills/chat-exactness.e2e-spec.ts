import { makeKey } from '../../support/api/api-builders.js';
import { apiClient } from '../../support/api/api-client.js';
import { MAX_OUTPUT_TOKENS, MAX_PROMPT_TOKENS, WORST_CASE_NANO } from '../../support/money/chat-load.js';
import { expectBalanced, readBooks } from '../../support/money/count-the-money.js';
import { expectStreamsBilledOnce } from '../../support/money/count-the-streams.js';
import { ServicePair } from '../../support/money/service-pair.js';
import { LONG_TESTS } from '../../support/long-tests.js';
import { streamEvents } from '../../support/vendors/scripted-chat-vendor.js';
import { TEST_MANAGEMENT_KEY } from '../../support/services/test-service.js';

const CALLS = LONG_TESTS ? 1_000 : 120;
const WORKERS = LONG_TESTS ? [1, 3, 4] : [1, 3];
const PAID_FOR = LONG_TESTS ? 137 : 37;
/** What every stream uses: as much as it can. */
const USAGE = { prompt_tokens: MAX_PROMPT_TOKENS, completion_tokens: MAX_OUTPUT_TOKENS };

describe.each(WORKERS)(`a key whose limit pays for exactly ${PAID_FOR} streams, WORKERS=%i`, (workers) => {
  let pair: ServicePair;
  beforeAll(async () => {
    pair = await ServicePair.open({ workers, script: () => ({ events: streamEvents(MAX_OUTPUT_TOKENS, USAGE) }) });
  }, 120_000);
  afterAll(() => pair.close(), 60_000);

  it(`serves ${PAID_FOR} of ${CALLS} streams at once on two services, refuses the others, books exactly`, async () => {
    const management = apiClient(pair.services[0]!.origin, TEST_MANAGEMENT_KEY);
    const total = WORST_CASE_NANO * BigInt(PAID_FOR);
    const created = await makeKey(management, { name: 'exact', limit: Number(total) / 1e9 });

    const seen = await Promise.all(Array.from({ length: CALLS }, (_, index) => pair.stream(index % 2, created.key)));

    const served = seen.filter(({ status }) => status === 200);
    const times = Map.groupBy(seen, ({ status }) => status);
    expect(Object.fromEntries([...times].map(([status, { length }]) => [status, length]))).toEqual({
      200: PAID_FOR,
      402: CALLS - PAID_FOR,
    });
    expect(served.filter(({ whole, usage }) => !whole || !usage)).toEqual([]);
    expect(await expectStreamsBilledOnce(pair.sql, served)).toMatchObject({ billed: PAID_FOR, lost: 0 });
    const record = (await management.get(`/keys/${created.hash}`)).json.data;
    expect(record).toMatchObject({ usage: Number(total) / 1e9, limit_remaining: 0 });
    const books = await readBooks(pair.sql);
    expectBalanced(books);
    expect(books).toMatchObject({ generations: total, openReservations: 0n });
  }, 180_000);
});
