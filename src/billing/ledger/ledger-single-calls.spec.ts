import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.js';
import { Sql } from '../../database/sql.js';
import { SystemClock } from '../../kernel/clock.js';
import { newId } from '../../kernel/ids.js';
import type { GenerationRecord } from '../../usage/generation-record.js';
import { OpenCall } from '../open-call.js';
import { Leases } from './leases.js';
import { Ledger, type Finish, type ReservationRequest } from './ledger.js';

const START = Date.parse('2026-11-20T12:00:00Z');
const HOUR_MS = 3_600_000;
const RECORD: GenerationRecord = {
  upstream_cost: '7',
  workspace_no: 3,
  model: 4,
  provider: 5,
  external_user: 2,
  app: 6,
  origin: 8,
  finish_reason: null,
  tokens_prompt: 8,
  tokens_completion: 9,
  tokens_reasoning: null,
  tokens_cached: null,
  characters: 10,
  latency_ms: 11,
  duration_ms: 12,
  status: 200,
  images: 1,
  modality: 2,
  is_byok: false,
  streamed: true,
};

/** What keys can be like; each account has one of each. */
const KEYS = [
  {},
  { limit_nano: 90 },
  { limit_nano: 60, limit_reset: 'daily' },
  { limit_nano: 60, limit_reset: 'weekly', include_byok_in_limit: true },
  { limit_nano: 90, limit_reset: 'monthly' },
  { limit_nano: 40, include_byok_in_limit: true },
  { disabled: true },
  { expires_at: new Date(START + 40 * HOUR_MS) },
  { deleted_at: new Date(START) },
] as const;

interface Twin {
  readonly accountNo: number;
  readonly keyNos: readonly number[];
}

/** The short ways of migration 0017 beside the general ones, which are one function each and know nothing of them. */
describe('a single call of the ledger', () => {
  let database: TestDatabase;
  let sql: Sql;
  let ledger: Ledger;
  beforeAll(async () => {
    database = await createTestDatabase();
    sql = new Sql(database.url, 4);
    ledger = new Ledger(sql);
  });
  afterAll(async () => {
    await sql.close();
    await database.drop();
  });

  async function twin(granted: number): Promise<Twin> {
    const [account] = await sql.query<{ no: number; id: string }>(
      `insert into account (id, name, created_at) values ($1, 'a', now()) returning no, id`,
      [newId()],
    );
    await sql.query('update account_balance set granted = $2 where account_no = $1', [account!.no, granted]);
    const keyNos: number[] = [];
    for (const key of KEYS) {
      const [made] = await sql.query<{ no: number }>(
        `insert into api_key (hash, account_id, workspace_id, key_class, name, label, disabled, limit_nano, limit_reset, include_byok_in_limit, expires_at, deleted_at, created_at)
         select md5($1) || md5($1 || 'x'), $2::uuid, $2::uuid, 'standard', 'k', 'k', coalesce(disabled, false), limit_nano, limit_reset, coalesce(include_byok_in_limit, false), expires_at, deleted_at, now()
         from json_to_record($3) as k(disabled boolean, limit_nano bigint, limit_reset text, include_byok_in_limit boolean, expires_at timestamptz, deleted_at timestamptz) returning no`,
        [newId(), account!.id, JSON.stringify(key)],
      );
      keyNos.push(made!.no);
    }
    return { accountNo: account!.no, keyNos };
  }

  const generally = {
    async reserve(
      { id, generationId, accountNo, keyNo, accountAmount, keyAmount, deadline }: ReservationRequest,
      now: Date,
    ): Promise<string> {
      const item = {
        r: id,
        g: generationId,
        a: accountNo,
        k: keyNo,
        aa: `${accountAmount}`,
        ka: `${keyAmount}`,
        d: deadline,
      };
      return (
        await sql.query<{ outcome: string }>('select outcome from ledger_reserve($1, $2)', [
          now,
          JSON.stringify([item]),
        ])
      )[0]!.outcome;
    },
    async finish({ reservationId, accountNo, keyNo, settle, cost, byokCost, record }: Finish): Promise<string> {
      const item = { r: reservationId, a: accountNo, k: keyNo, s: settle, c: `${cost}`, b: `${byokCost}`, g: record };
      return (
        await sql.query<{ outcome: string }>('select outcome from ledger_finish_generally($1)', [
          JSON.stringify([item]),
        ])
      )[0]!.outcome;
    },
  };

  const stateOf = async ({ accountNo, keyNos }: Twin): Promise<unknown> =>
    (
      await sql.query<{ state: unknown }>(
        `select jsonb_build_object('account', (select to_jsonb(a) - 'account_no' from account_balance a where account_no = $1),
           'keys', (select jsonb_agg(to_jsonb(b) - 'key_no' order by key_no) from key_balance b where key_no = any($2::int[])),
           'reservations', (select jsonb_agg(jsonb_build_array(state, account_amount, key_amount, created_at, deadline) order by id) from reservation where account_no = $1),
           'records', (select jsonb_agg(to_jsonb(g) - '{id,account_no,key_no}'::text[] order by id) from generation g where account_no = $1),
           'entries', (select jsonb_agg(jsonb_build_array(kind, amount, created_at) order by id) from ledger_entry where account_no = $1),
           'outbox', (select count(*) from outbox o join generation g on g.id = o.generation_id where g.account_no = $1)) as state`,
        [accountNo, keyNos],
      )
    )[0]!.state;

  it('comes to the same as a batch does (400 random calls over two weeks, refusals and repetitions among them)', async () => {
    let seed = 17_111_726;
    const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
    const [short, long] = [await twin(500), await twin(500)];
    const seen = new Set<string>();
    const open: { short: ReservationRequest; long: ReservationRequest }[] = [];
    let at = START;
    for (let step = 0; step < 400; step++) {
      at += random(2 * HOUR_MS);
      const now = new Date(at);
      if (open.length === 0 || random(5) < 3) {
        const again = random(12) === 0 ? open[random(open.length || 1)] : undefined;
        const amounts = {
          accountAmount: BigInt(random(2) * random(60)),
          keyAmount: BigInt(random(4) && random(30)),
          deadline: new Date(at + 600_000),
        };
        const place = random(KEYS.length);
        const requestOf = ({ accountNo, keyNos }: Twin): ReservationRequest => ({
          id: newId(at),
          generationId: newId(at),
          accountNo,
          keyNo: keyNos[place]!,
          ...amounts,
        });
        const pair = again ?? { short: requestOf(short), long: requestOf(long) };
        const outcome = await ledger.reserve(pair.short, now);
        expect([step, outcome]).toEqual([step, await generally.reserve(pair.long, now)]);
        seen.add(outcome);
        if (outcome === 'reserved' && !again) open.push(pair);
      } else {
        const place = random(open.length);
        const { short: a, long: b } = random(6) === 0 ? open[place]! : open.splice(place, 1)[0]!;
        const settle = random(4) > 0;
        const figures = {
          settle,
          cost: BigInt(random(3) * random(9)),
          byokCost: BigInt(random(4)),
          record: random(8) ? RECORD : null,
        };
        const finishOf = ({ id, accountNo, keyNo }: ReservationRequest): Finish => ({
          reservationId: id,
          accountNo,
          keyNo,
          ...figures,
          ...(settle ? {} : { cost: 0n, byokCost: 0n }),
        });
        const outcome = await ledger.finish(finishOf(a));
        const record =
          figures.record && figures.record.upstream_cost === `${finishOf(b).cost}`
            ? { ...figures.record, upstream_cost: null }
            : figures.record;
        expect([step, outcome]).toEqual([
          step,
          await generally.finish({ ...finishOf(b), record: record as GenerationRecord | null }),
        ]);
        seen.add(outcome);
      }
      if (step % 10 === 9) expect([step, await stateOf(short)]).toEqual([step, await stateOf(long)]);
    }
    expect([...seen].toSorted()).toEqual([
      'done',
      'insufficient_credits',
      'key_disabled',
      'key_expired',
      'key_limit',
      'key_unknown',
      'lease_lost',
      'lost',
      'reserved',
    ]);
  });

  it('is how a call is reserved and settled that comes by itself', async () => {
    const { accountNo, keyNos } = await twin(100);
    const functions: (string | undefined)[] = [];
    const watched = {
      query: (text: string, params: unknown[]) => (
        functions.push(/ledger_\w+/.exec(text)?.[0]),
        sql.query(text, params)
      ),
    } as unknown as Sql;
    const own = new Ledger(watched);
    const leases = new Leases(own, new SystemClock(), 600_000);
    const call = new OpenCall(newId(), { accountNo, keyNo: keyNos[0]! }, own, leases, new Date(START), {
      worstCase: 10n,
      source: 'platform',
    });
    await call.reserve();
    await call.settle({ price: 3n, record: RECORD });
    leases.stop();

    expect(functions).toEqual(['ledger_reserve_one', 'ledger_finish_one']);
    expect(await sql.query('select spent, reserved from account_balance where account_no = $1', [accountNo])).toEqual([
      { spent: 3n, reserved: 0n },
    ]);
  });

  it('settles a reservation once that two finish at the same moment', async () => {
    const { accountNo, keyNos } = await twin(1_000);
    const now = new Date(START);
    const other = new Ledger(sql);
    for (let round = 0; round < 30; round++) {
      const request: ReservationRequest = {
        id: newId(),
        generationId: newId(START),
        accountNo,
        keyNo: keyNos[0]!,
        accountAmount: 10n,
        keyAmount: 10n,
        deadline: new Date(START + 600_000),
      };
      expect(await ledger.reserve(request, now)).toBe('reserved');
      const finish: Finish = {
        reservationId: request.id,
        accountNo,
        keyNo: keyNos[0]!,
        settle: true,
        cost: 3n,
        byokCost: 0n,
        record: RECORD,
      };
      expect(await Promise.all([ledger.finish(finish), other.finish(finish)])).toEqual(['done', 'done']);
    }
    expect(await sql.query('select spent, reserved from account_balance where account_no = $1', [accountNo])).toEqual([
      { spent: 90n, reserved: 0n },
    ]);
    expect(
      await sql.query('select usage, usage_day, reserved from key_balance where key_no = $1', [keyNos[0]]),
    ).toEqual([{ usage: 90n, usage_day: 90n, reserved: 0n }]);
    expect(
      await sql.query('select count(*)::int as entries from ledger_entry where account_no = $1', [accountNo]),
    ).toEqual([{ entries: 30 }]);
  });

  it('never holds more than there is, whoever asks at the same moment', async () => {
    const { accountNo, keyNos } = await twin(95);
    const now = new Date(START);
    const ledgers = Array.from({ length: 4 }, () => new Ledger(sql));
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        ledgers[index % 4]!.reserve(
          {
            id: newId(),
            generationId: newId(START),
            accountNo,
            keyNo: keyNos[0]!,
            accountAmount: 10n,
            keyAmount: 10n,
            deadline: new Date(START + 600_000),
          },
          now,
        ),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 'reserved')).toHaveLength(9);
    expect(await sql.query('select reserved from account_balance where account_no = $1', [accountNo])).toEqual([
      { reserved: 90n },
    ]);
  });
});
