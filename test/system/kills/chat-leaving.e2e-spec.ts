import { ChatLoad, randomStreams } from '../../support/money/chat-load.js';
import { settledSpend } from '../../support/money/account-totals.js';
import { expectBalanced, readBooks } from '../../support/money/count-the-money.js';
import { expectStreamsBilledOnce, unknownOutcomes } from '../../support/money/count-the-streams.js';
import { LONG_TESTS } from '../../support/long-tests.js';
import { startScriptedChatVendor, type ScriptedChatVendor } from '../../support/vendors/scripted-chat-vendor.js';
import { startTestService, TEST_API_KEY, type TestService } from '../../support/services/test-service.js';

const STREAMS = LONG_TESTS ? 10_000 : 300;
const CALLERS = 16;
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);

describe('streams with callers and vendors that disconnect at random chunks', () => {
  let vendor: ScriptedChatVendor;
  let service: TestService;
  beforeAll(async () => {
    vendor = await startScriptedChatVendor(randomStreams({ cut: 30, seed: SEED + 1, pauseMs: 1 }));
    service = await startTestService({
      env: {
        BOOTSTRAP_CREDITS_USD: '10',
        BREAKER_FAILURES: '1000',
        OPENAI_API_KEY: 'sk-vendor',
        OPENAI_BASE_URL: vendor.baseUrl,
      },
    });
  });
  afterAll(async () => {
    await service.stop();
    await vendor.close();
  });

  it(
    `are each billed at most once, and leave no reservation (${STREAMS} streams, seed ${SEED})`,
    async () => {
      const load = new ChatLoad(() => service.origin, TEST_API_KEY, CALLERS, { leaving: 30, seed: SEED });
      while (load.seen.length < STREAMS) await new Promise((resolve) => setTimeout(resolve, 50));
      const seen = await load.stop();
      const spent = await settledSpend(service.sql);

      expectBalanced(await readBooks(service.sql));
      const counts = await expectStreamsBilledOnce(service.sql, seen);
      expect(counts).toMatchObject({ lost: 0 });
      expect(Math.min(counts.billed, counts.cancelled, counts.failed)).toBeGreaterThan(0);
      // Every call has its record, including calls that failed before their first chunk.
      const [records] = await service.sql.query<{ count: bigint; cost: bigint }>(
        'select count(*) as count, sum(cost)::bigint as cost from generation',
      );
      expect(records).toEqual({ count: BigInt(vendor.seen.length), cost: spent });
      expect(await unknownOutcomes(service.sql)).toBe(0);
    },
    120_000 + STREAMS * 100,
  );
});
