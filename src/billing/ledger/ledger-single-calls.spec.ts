import {
  generalLedgerOn,
  HOUR_MS,
  KEYS,
  START,
  stateOfTwin,
  textOf,
  addTwin,
  type Twin,
} from '../../../test/support/money/ledger-twins.js';
import { aGenerationRecord } from '../../../test/support/calls/generation-record.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database/test-database.js';
import { Sql } from '../../database/sql.js';
import { newId } from '../../kernel/ids.js';
import { generationDetail } from '../../usage/generation-detail.js';
import type { GenerationRecord } from '../../usage/generation-record.js';
import { LedgerAccess } from '../ledger-access.js';
import { OpenCall } from '../open-call.js';
import { Leases } from './leases.js';
import { Ledger, type Finish, type ReservationRequest } from './ledger.js';

const RECORD = aGenerationRecord({
  upstream_cost: '7',
  external_user: 2,
  app: 6,
  origin: 8,
  finish_reason: null,
  tokens_prompt: 8,
  tokens_completion: 9,
  characters: 10,
  latency_ms: 11,
  duration_ms: 12,
  images: 1,
  modality: 2,
});

const DETAILED: GenerationRecord = {
  ...RECORD,
  detail: generationDetail({ nativeFinishReason: 'end_turn', cacheDiscount: -3n, mediaInputs: 2, attempts: [] }),
};

/** Compares the fast paths with the general functions, which do not call the fast paths. */
describe('a single call of the ledger', () => {
  let database: TestDatabase;
  let sql: Sql;
  let ledger: Ledger;
  beforeAll(async () => {
    database = await createTestDatabase();
    sql = new Sql(database.url, 4);
    ledger = new Ledger(sql);
    generally = generalLedgerOn(sql);
  });
  afterAll(async () => {
    await sql.close();
    await database.drop();
  });

  let generally: ReturnType<typeof generalLedgerOn>;
  const twin = (granted: number): Promise<Twin> => addTwin(sql, granted);
  const stateOf = (of: Twin): Promise<unknown> => stateOfTwin(sql, of);

  it('has the same result as a batch (400 random calls over two weeks, with refusals and repetitions)', async () => {
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
          parentNo: null,
          parentAmount: 0n,
          at: now,
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
        const outcome = textOf(await ledger.reserve({ ...pair.short, at: now }));
        expect([step, outcome]).toEqual([step, await generally.reserve({ ...pair.long, at: now })]);
        seen.add(outcome.split(' ')[0]!);
        if (outcome === 'reserved' && !again) open.push(pair);
      } else {
        const place = random(open.length);
        const { short: a, long: b } = random(6) === 0 ? open[place]! : open.splice(place, 1)[0]!;
        const settle = random(4) > 0;
        const figures = {
          settle,
          cost: BigInt(random(3) * random(9)),
          byokCost: BigInt(random(4)),
          record: [null, RECORD, DETAILED][Math.min(random(8), 2)]!,
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

  it('is reserved and settled on the fast path if it is alone in its batch', async () => {
    const { accountNo, keyNos } = await twin(100);
    const functions: (string | undefined)[] = [];
    const watched = {
      query: (text: string, params: unknown[]) => (
        functions.push(/ledger_\w+/.exec(text)?.[0]),
        sql.query(text, params)
      ),
    } as unknown as Sql;
    const own = new Ledger(watched);
    const leases = new Leases(own);
    const call = new OpenCall(
      newId(),
      {
        payer: { accountNo, keyNo: keyNos[0]!, parentKey: null },
        model: 'vendor/model',
        first: { worstCase: 10n, source: 'platform' },
      },
      new LedgerAccess(own, leases),
      new Date(START),
    );
    await call.reserve();
    await call.settle({ price: 3n, record: RECORD });
    await leases.stop();

    expect(functions).toEqual(['ledger_reserve_one', 'ledger_finish_one']);
    expect(await sql.query('select spent, reserved from account_balance where account_no = $1', [accountNo])).toEqual([
      { spent: 3n, reserved: 0n },
    ]);
  });

  it('is not settled twice if two ledgers settle its reservation at the same moment', async () => {
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
        parentNo: null,
        parentAmount: 0n,
        at: now,
      };
      expect(await ledger.reserve(request)).toBe('reserved');
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
      await sql.query('select count(*)::int as entries from ledger_line where account_no = $1', [accountNo]),
    ).toEqual([{ entries: 30 }]);
  });

  it('is refused if concurrent calls have already reserved the available credits', async () => {
    const { accountNo, keyNos } = await twin(95);
    const now = new Date(START);
    const ledgers = Array.from({ length: 4 }, () => new Ledger(sql));
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        ledgers[index % 4]!.reserve({
          id: newId(),
          generationId: newId(START),
          accountNo,
          keyNo: keyNos[0]!,
          accountAmount: 10n,
          keyAmount: 10n,
          parentNo: null,
          parentAmount: 0n,
          at: now,
        }),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 'reserved')).toHaveLength(9);
    expect(await sql.query('select reserved from account_balance where account_no = $1', [accountNo])).toEqual([
      { reserved: 90n },
    ]);
  });
});
