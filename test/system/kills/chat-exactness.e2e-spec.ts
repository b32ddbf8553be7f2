import { makeKey } from '../../support/api/api-builders.js';
import { apiClient, type ApiClient } from '../../support/api/api-client.js';
import { eventually } from '../../support/eventually.js';
import { MAX_OUTPUT_TOKENS, MAX_PROMPT_TOKENS, WORST_CASE_NANO } from '../../support/money/chat-load.js';
import { expectBalanced, expectSettled, readBooks } from '../../support/money/count-the-money.js';
import { expectStreamsBilledOnce } from '../../support/money/count-the-streams.js';
import { accountBooks, makePayer, type Payer } from '../../support/money/payers.js';
import { ServicePair } from '../../support/money/service-pair.js';
import { LONG_TESTS } from '../../support/long-tests.js';
import { RandomNumbers } from '../../support/random-numbers.js';
import { streamEvents } from '../../support/vendors/scripted-chat-vendor.js';
import { TEST_MANAGEMENT_KEY } from '../../support/services/test-service.js';

const CALLS = LONG_TESTS ? 1_000 : 120;
const WORKERS = LONG_TESTS ? [1, 3, 4] : [1, 3];
const PAID_FOR = LONG_TESTS ? 137 : 37;
const [ACCOUNTS, CALLS_OF_ACCOUNTS] = LONG_TESTS ? [300, 10_000] : [40, 800];
const ACCOUNT_WORKERS = [1, 3];
const SEED = Number(process.env['CALLS_SEED'] ?? 1);
/** The connections to each service that the streams open. */
const CONNECTIONS = 500;
/**
 * The connections to each service that the calls of many accounts open: the number that one process serves without
 * refusing calls for overload (decision 0068).
 */
const CONNECTIONS_OF_ACCOUNTS = 120;
/** The usage of every stream: the maximum. */
const USAGE = { prompt_tokens: MAX_PROMPT_TOKENS, completion_tokens: MAX_OUTPUT_TOKENS };

const TOTAL = WORST_CASE_NANO * BigInt(PAID_FOR);
const usd = (nano: bigint): number => Number(nano) / 1e9;

/** The services of the previous suite. The next suite uses them too if it has the same number of workers. */
let pair: ServicePair;
let openedFor: number | undefined;
/** The number of chunks with text in each stream. */
let chunks: number;

async function open(workers: number): Promise<void> {
  if (openedFor === workers) return;
  if (openedFor !== undefined) await pair.close();
  openedFor = undefined;
  pair = await ServicePair.open({ workers, script: () => ({ events: streamEvents(chunks, USAGE) }) });
  openedFor = workers;
}
afterAll(() => pair.close(), 60_000);

const streamsAtOnce = (workers: number): void => {
  let management: ApiClient;
  beforeAll(async () => {
    await open(workers);
    pair.connect(CONNECTIONS);
    chunks = MAX_OUTPUT_TOKENS;
    management = apiClient(pair.services[0]!.origin, TEST_MANAGEMENT_KEY);
  }, 180_000);

  /** Expects that the streams covered by credits are complete and billed. Returns the statuses of refused streams. */
  const streamAll = async (key: string): Promise<number[]> => {
    const before = (await readBooks(pair.sql)).generations;
    const seen = await Promise.all(Array.from({ length: CALLS }, (_, index) => pair.stream(index % 2, key)));
    const served = seen.filter(({ status }) => status === 200);
    expect(served).toHaveLength(PAID_FOR);
    expect(served.filter(({ whole, usage }) => !whole || !usage)).toEqual([]);
    expect(await expectStreamsBilledOnce(pair.sql, served)).toMatchObject({ billed: PAID_FOR, lost: 0 });
    const books = await readBooks(pair.sql);
    expectBalanced(books);
    expect(books.generations - before).toBe(TOTAL);
    return seen.filter(({ status }) => status !== 200).map(({ status }) => status);
  };
  const atRest = async (): Promise<void> =>
    eventually(async () => expect(await readBooks(pair.sql)).toMatchObject({ openReservations: 0n }), 20_000);

  it(`exactly the ${PAID_FOR} within the key's limit are served and billed`, async () => {
    const created = await makeKey(management, { name: 'exact', limit: usd(TOTAL) });

    const refused = await streamAll(created.key);

    expect(new Set(refused)).toEqual(new Set([402]));
    const record = (await management.get(`/keys/${created.hash}`)).json.data;
    expect(record).toMatchObject({ usage: usd(TOTAL), limit_remaining: 0 });
    await atRest();
  }, 180_000);

  it(`exactly the ${PAID_FOR} within the lowest of six nested budgets are served and billed`, async () => {
    const { key, hash } = await makeKey(management, { name: 'budgeted' });
    const scope = { api_key_hash: hash };
    const budgets: { id: string }[] = [];
    for (const [json, more] of [
      [{ each: 'model', interval: 'lifetime' }, 50_000_000_000n],
      [{ each: 'api_key_hash', interval: 'monthly' }, 40_000_000_000n],
      [{ scope, interval: 'lifetime' }, 3_000n],
      [{ scope, interval: 'monthly' }, 200n],
      [{ scope, interval: 'weekly' }, 10n],
      [{ scope, interval: 'daily' }, 0n],
    ] as const) {
      const limits = { limit_usd: usd(TOTAL + more), count_from: 'now' };
      const { status, json: made } = await management.post('/budgets', { json: { ...json, ...limits } });
      expect(status).toBe(201);
      budgets.push(made.data);
    }

    const refused = await streamAll(key);

    // The credits are used up, or less is left than the worst case of a call.
    expect(refused.filter((status) => status !== 402 && status !== 403)).toEqual([]);
    for (const { id } of budgets) {
      const { data } = (await management.get(`/budgets/${id}`)).json;
      expect(data).toMatchObject({ spent_usd: usd(TOTAL), byok_spent_usd: 0 });
    }
    await atRest();
    for (const { id } of budgets)
      expect((await management.get(`/budgets/${id}`)).json.data).toMatchObject({
        spent_usd: usd(TOTAL),
        reserved_usd: 0,
      });
  }, 180_000);
};

const callsOfManyAccounts = (workers: number): void => {
  const random = new RandomNumbers(SEED * 10 + workers);
  beforeAll(async () => {
    await open(workers);
    pair.connect(CONNECTIONS_OF_ACCOUNTS);
    chunks = 1;
  }, 180_000);

  it(
    'are served as far as the credits of their account cover them, and the books are balanced',
    async () => {
      process.stdout.write(`${CALLS_OF_ACCOUNTS} calls of ${ACCOUNTS} accounts, CALLS_SEED=${SEED}\n`);
      const payers: Payer[] = [];
      // Credits for none to twice the average number of calls.
      while (payers.length < ACCOUNTS)
        payers.push(await makePayer(pair.sql, random, (2 * CALLS_OF_ACCOUNTS) / ACCOUNTS));
      for (let call = 0; call < CALLS_OF_ACCOUNTS; call++) {
        const { calls, secret } = random.pick(payers);
        calls.push(pair.stream(random.int(0, 1), secret));
      }
      const expected = new Map<number, object>();
      for (const { accountNo, credits, calls } of payers) {
        const seen = await Promise.all(calls);
        expect(seen.filter(({ status, whole }) => status !== 402 && !(status === 200 && whole))).toEqual([]);
        const answered = seen.filter(({ status }) => status === 200);
        const covered = Number(credits / WORST_CASE_NANO);
        expect({ accountNo, answered: answered.length }).toEqual({
          accountNo,
          answered: Math.min(covered, calls.length),
        });
        const sum = answered.reduce((total, { usage }) => total + BigInt(Math.round(usage!.cost * 1e9)), 0n);
        expected.set(accountNo, {
          balance: credits - sum,
          entries: credits - sum,
          spent: sum,
          billed: sum,
          calls: answered.length,
          reserved: 0n,
          keys_reserved: 0n,
          leased: 0n,
        });
      }
      // Leases of idle keys are returned.
      await expectSettled(pair.sql, 20_000);
      const rows = await accountBooks(pair.sql, [...expected.keys()]);
      expect(new Map(rows.map(({ account_no, ...books }) => [account_no, books]))).toEqual(expected);
    },
    CALLS_OF_ACCOUNTS * 60 + 60_000,
  );
};

// Suites with the same number of workers follow one another, because the start of the services takes most of the time.
for (const workers of WORKERS) {
  describe(`of ${CALLS} simultaneous streams on two services, WORKERS=${workers},`, () => streamsAtOnce(workers));
  if (ACCOUNT_WORKERS.includes(workers))
    describe(`simultaneous calls of many accounts on two services, WORKERS=${workers}:`, () =>
      callsOfManyAccounts(workers));
}
