import { GatewayError } from '../kernel/errors.js';
import { SystemClock } from '../kernel/clock.js';
import type { GenerationRecord } from '../usage/generation-record.js';
import { FakeLedger } from './ledger.fake.js';
import { Leases } from './ledger/leases.js';
import type { Ledger } from './ledger/ledger.js';
import type { Attempt, OpenCall } from './open-call.js';
import { Spending } from './spending.js';

const PAYER = { accountNo: 1, keyNo: 2 };
const ATTEMPT: Attempt = { worstCase: 100n, source: 'platform' };
const RECORD = { status: 200 } as unknown as GenerationRecord;
const FAILED = { status: 502 } as unknown as GenerationRecord;

describe('spending', () => {
  let ledger: FakeLedger;
  let leases: Leases;
  let spending: Spending;
  beforeEach(() => {
    ledger = new FakeLedger();
    const asLedger = ledger as unknown as Ledger;
    leases = new Leases(asLedger, new SystemClock(), 30_000);
    spending = new Spending(asLedger, leases, new SystemClock());
  });
  afterEach(() => leases.stop());

  const bytes = (...texts: string[]): AsyncIterable<Uint8Array> =>
    (async function* () {
      for (const text of texts) yield Buffer.from(text);
    })();
  const stream = (chunks: AsyncIterable<Uint8Array>, signal = new AbortController().signal, price = 40n): ReturnType<Spending['spendStream']> =>
    spending.spendStream(PAYER, ATTEMPT, signal, async () => ({ chunks, bill: () => ({ price, record: RECORD }) }), () => FAILED);

  it('reserves the worst case and settles the true price', async () => {
    expect(await spending.spend(PAYER, ATTEMPT, async () => ({ result: 'done', bill: { price: 60n, record: RECORD } }), () => null)).toBe('done');
    expect(ledger.reservations).toMatchObject([{ accountAmount: 100n, keyAmount: 100n }]);
    expect(ledger.finishes).toMatchObject([{ settle: true, cost: 60n, byokCost: 0n, reservationId: ledger.reservations[0]!.id }]);
    expect(spending.openCalls).toBe(0);
  });

  it('releases, and records, a call whose vendor failed', async () => {
    const failure = new GatewayError('provider_failed', 'no');
    await expect(spending.spend(PAYER, ATTEMPT, () => Promise.reject(failure), () => FAILED)).rejects.toBe(failure);
    expect(ledger.finishes).toMatchObject([{ settle: false, cost: 0n, record: FAILED }]);
  });

  it.each([
    ['insufficient_credits', 'insufficient_credits'],
    ['key_limit', 'insufficient_credits'],
    ['key_disabled', 'unauthenticated'],
    ['key_expired', 'unauthenticated'],
    ['key_unknown', 'unauthenticated'],
  ] as const)('never calls the vendor when the ledger answers %s', async (outcome, kind) => {
    ledger.reserveOutcome = outcome;
    let called = false;
    await expect(spending.spend(PAYER, ATTEMPT, async () => ((called = true), { result: 1, bill: { price: 1n, record: RECORD } }), () => null)).rejects.toMatchObject({ kind });
    expect([called, ledger.finishes, spending.openCalls]).toEqual([false, [], 0]);
  });

  it('keeps the answer back when its reservation was lost', async () => {
    ledger.finishOutcome = 'lost';
    await expect(spending.spend(PAYER, ATTEMPT, async () => ({ result: 1, bill: { price: 1n, record: RECORD } }), () => null)).rejects.toThrow('lost before it could be settled');
  });

  it('moves the reservation to the next attempt in one step', async () => {
    const next: Attempt = { worstCase: 70n, source: 'own_credential', countsInLimit: true };
    await spending.spend(PAYER, ATTEMPT, async (call: OpenCall) => (await call.moveTo(next), { result: 1, bill: { price: 30n, record: RECORD } }), () => null);
    const [first, second] = ledger.reservations;
    expect(second).toMatchObject({ replaces: first!.id, accountAmount: 0n, keyAmount: 70n, createdAt: first!.createdAt });
    expect(ledger.finishes).toMatchObject([{ reservationId: second!.id, cost: 0n, byokCost: 30n }]);
  });

  it('reserves nothing on an own credential that the limit does not count', async () => {
    await spending.spend(PAYER, { worstCase: 70n, source: 'own_credential' }, async () => ({ result: 1, bill: { price: 30n, record: RECORD } }), () => null);
    expect(ledger.reservations).toMatchObject([{ accountAmount: 0n, keyAmount: 0n }]);
  });

  describe('a stream', () => {
    it('holds its last byte back until the settlement is durable', async () => {
      const { body } = await stream(bytes('abc', 'def'));
      let text = '';
      const settledAt: number[] = [];
      for await (const chunk of body) {
        if (ledger.finishes.length > 0 && settledAt.length === 0) settledAt.push(text.length);
        text += Buffer.from(chunk).toString();
      }
      expect(text).toBe('abcdef');
      expect(settledAt).toEqual([5]);
      expect(ledger.finishes).toMatchObject([{ settle: true, cost: 40n }]);
    });

    it('is cut before its last byte when the reservation was lost', async () => {
      ledger.finishOutcome = 'lost';
      const { body } = await stream(bytes('abc'));
      let text = '';
      await expect((async () => {
        for await (const chunk of body) text += Buffer.from(chunk).toString();
      })()).rejects.toThrow('lost');
      expect(text).toBe('ab');
    });

    it('is billed in full when the caller leaves after the first byte', async () => {
      const { body } = await stream(bytes('abc', 'def'));
      await body.next();
      await body.return();
      expect(ledger.finishes).toMatchObject([{ settle: true, cost: 40n }]);
      expect(spending.openCalls).toBe(0);
    });

    it('is not billed when the vendor fails in the middle', async () => {
      const { body } = await stream(
        (async function* () {
          yield Buffer.from('abc');
          throw new GatewayError('provider_failed', 'broke off');
        })(),
      );
      await body.next();
      await expect(body.next()).rejects.toThrow('broke off');
      expect(ledger.finishes).toMatchObject([{ settle: false, record: FAILED }]);
    });

    it('is not billed when the caller leaves before the first byte', async () => {
      const controller = new AbortController();
      const { body } = await stream(
        (async function* () {
          controller.abort();
          yield* [] as Uint8Array[];
          throw new GatewayError('caller_gone', 'left');
        })(),
        controller.signal,
      );
      await expect(body.next()).rejects.toThrow('left');
      expect(ledger.finishes).toMatchObject([{ settle: false }]);
    });

    it('that holds nothing is a fault of the vendor', async () => {
      const { body } = await stream(bytes(''));
      await expect(body.next()).rejects.toMatchObject({ kind: 'provider_failed' });
      expect(ledger.finishes).toMatchObject([{ settle: false }]);
    });
  });
});
