import { randomBytes } from 'node:crypto';
import { hashOfKey } from '../../../src/auth/key-secret.js';
import { newId } from '../../../src/kernel/ids.js';
import { insertAccount, insertKey, insertWorkspace } from '../../support/database/row-builders.js';
import { LONG_TESTS } from '../../support/long-tests.js';
import {
  MAX_OUTPUT_TOKENS,
  MAX_PROMPT_TOKENS,
  WORST_CASE_NANO,
  type SeenStream,
} from '../../support/money/chat-load.js';
import { expectSettled } from '../../support/money/count-the-money.js';
import { ServicePair } from '../../support/money/service-pair.js';
import { RandomNumbers } from '../../support/random-numbers.js';
import { streamEvents } from '../../support/vendors/scripted-chat-vendor.js';

const [ACCOUNTS, CALLS] = LONG_TESTS ? [300, 10_000] : [40, 800];
const SEED = Number(process.env['CALLS_SEED'] ?? 1);
/**
 * The connections to each service: the number that one process serves without refusing calls for overload (decision
 * 0068).
 */
const CONNECTIONS = 120;
/** The usage of every call: the maximum. */
const USAGE = { prompt_tokens: MAX_PROMPT_TOKENS, completion_tokens: MAX_OUTPUT_TOKENS };

interface Payer {
  readonly accountNo: number;
  readonly secret: string;
  readonly credits: bigint;
  readonly calls: Promise<SeenStream>[];
}

interface AccountBooks {
  readonly account_no: number;
  readonly balance: bigint;
  readonly entries: bigint;
  readonly spent: bigint;
  readonly billed: bigint;
  readonly calls: number;
  readonly reserved: bigint;
  readonly keys_reserved: bigint;
  readonly leased: bigint;
}

describe.each([1, 3])('calls of many accounts at once on two services, WORKERS=%i', (workers) => {
  const random = new RandomNumbers(SEED * 10 + workers);
  let pair: ServicePair;
  beforeAll(async () => {
    pair = await ServicePair.open({
      workers,
      script: () => ({ events: streamEvents(1, USAGE) }),
      connections: CONNECTIONS,
    });
  }, 120_000);
  afterAll(() => pair.close(), 60_000);

  /**
   * An account whose credits cover a random number of calls, from none to twice its average number, plus a part of one
   * call.
   */
  const payer = async (): Promise<Payer> => {
    const covered = random.int(0, (2 * CALLS) / ACCOUNTS);
    const credits = WORST_CASE_NANO * BigInt(covered) + BigInt(random.int(0, Number(WORST_CASE_NANO) - 1));
    const account = await insertAccount(pair.sql, { granted: Number(credits) });
    await pair.sql.query(
      `insert into ledger_entry (account_no, kind, amount, idempotency_id, created_at)
       values ($1, 'grant', $2, $3, now())`,
      [account.no, credits, newId()],
    );
    const workspace = await insertWorkspace(pair.sql, account);
    const secret = `sk-or-v1-${randomBytes(32).toString('hex')}`;
    await insertKey(pair.sql, account, { hash: hashOfKey(secret), workspace_id: workspace.id });
    return { accountNo: account.no, secret, credits, calls: [] };
  };

  it(
    'are served as far as the credits of their account cover them, and the books are balanced',
    async () => {
      process.stdout.write(`${CALLS} calls of ${ACCOUNTS} accounts, CALLS_SEED=${SEED}\n`);
      const payers: Payer[] = [];
      for (let account = 0; account < ACCOUNTS; account++) payers.push(await payer());
      for (let call = 0; call < CALLS; call++) {
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
      const rows = await pair.sql.query<AccountBooks>(
        `select b.account_no, b.granted - b.spent as balance, b.spent, b.reserved,
           (select coalesce(sum(l.amount), 0)::bigint from ledger_line l where l.account_no = b.account_no) as entries,
           (select coalesce(sum(g.cost), 0)::bigint from generation g where g.account_no = b.account_no) as billed,
           (select count(*)::int from generation g where g.account_no = b.account_no and g.cost > 0) as calls,
           (select sum(k.reserved)::bigint from key_balance k join api_key a on a.no = k.key_no
             join account c on c.id = a.account_id where c.no = b.account_no) as keys_reserved,
           (select coalesce(sum(v.account_amount), 0)::bigint from reservation v
             where v.account_no = b.account_no and v.state = 'reserved') as leased
         from account_balance b where b.account_no = any($1::int[])`,
        [[...expected.keys()]],
      );
      expect(new Map(rows.map(({ account_no, ...books }) => [account_no, books]))).toEqual(expected);
    },
    CALLS * 60 + 60_000,
  );
});
