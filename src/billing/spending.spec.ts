import { FakeOutlet } from '../../test/support/calls/fake-outlet.js';
import { FakeLedger, type FakeAccount, type FakeKey } from '../../test/support/money/fake-ledger.js';
import { GatewayError } from '../kernel/errors/errors.js';
import { SystemClock } from '../kernel/clock.js';
import type { GenerationRecord } from '../usage/generation-record.js';
import { Leases } from './ledger/leases.js';
import type { AttemptBudget } from './bill.js';
import type { OpenCall } from './open-call.js';
import type { Anomalies, Anomaly } from './ledger/anomalies.js';
import { LedgerAccess } from './ledger-access.js';
import { Spending, type Completed, type SpendRequest, type StartedStream } from './spending.js';

const PAYER = { accountNo: 1, keyNo: 2, parentKey: null };
const ATTEMPT: AttemptBudget = { worstCase: 100n, source: 'platform' };
const RECORD = { status: 200 } as unknown as GenerationRecord;
const FAILED = { status: 502 } as unknown as GenerationRecord;

describe('spending', () => {
  let ledger: FakeLedger;
  let account: FakeAccount;
  let key: FakeKey;
  let leases: Leases;
  let spending: Spending;
  let anomalies: Anomaly[];
  beforeEach(() => {
    ledger = new FakeLedger();
    account = ledger.addAccount(PAYER.accountNo, 1_000n);
    key = ledger.addKey(PAYER.keyNo);
    leases = new Leases(ledger);
    anomalies = [];
    const recorder = { record: async (anomaly: Anomaly) => void anomalies.push(anomaly) } as unknown as Anomalies;
    spending = new Spending(new LedgerAccess(ledger, leases), new SystemClock(), recorder);
  });
  afterEach(() => {
    // However a call ended, nothing stays reserved.
    expect([account.reserved, key.reserved, spending.openCalls]).toEqual([0n, 0n, 0]);
    return leases.stop();
  });

  const requestOf = (first: AttemptBudget, failure: GenerationRecord | null = null): SpendRequest => ({
    payer: PAYER,
    model: 'vendor/model',
    first,
    signal: new AbortController().signal,
    requestId: () => 'request-1',
    recordFailure: () => failure,
  });
  const spend = <T>(
    work: (call: OpenCall) => Promise<Completed<T>>,
    first = ATTEMPT,
    failure: GenerationRecord | null = null,
  ): Promise<T> => spending.spend(requestOf(first, failure), work);
  /** A call whose reservation is swept before the call ends. */
  const lost = async (): Promise<Completed<number>> => {
    ledger.loseReservations();
    return { result: 1, bill: { price: 60n, record: RECORD } };
  };
  const bytes = (...texts: string[]): AsyncIterable<Uint8Array> =>
    (async function* () {
      for (const text of texts) yield Buffer.from(text);
    })();
  const deliver = async (
    chunks: AsyncIterable<Uint8Array>,
    outlet = new FakeOutlet(),
    { isComplete = (): boolean => false, isLost = false } = {},
  ): Promise<FakeOutlet> => {
    const begin = async (): Promise<StartedStream> => {
      if (isLost) ledger.loseReservations();
      const rest = chunks[Symbol.asyncIterator]();
      const first = await rest.next();
      return { first: first.value as Uint8Array, rest, isComplete, bill: () => ({ price: 40n, record: RECORD }) };
    };
    const stream = await spending.spendStream(requestOf(ATTEMPT, FAILED), begin);
    await stream.deliver(outlet);
    return outlet;
  };

  it('reserves the worst case and settles the true price', async () => {
    expect(await spend(async () => ({ result: 'done', bill: { price: 60n, record: RECORD } }))).toBe('done');
    expect(ledger.requests).toMatchObject([{ accountAmount: 100n, keyAmount: 100n }]);
    expect(ledger.finishes).toMatchObject([
      { settle: true, cost: 60n, byokCost: 0n, reservationId: ledger.requests[0]!.id },
    ]);
    expect([account.spent, key.usage]).toEqual([60n, 60n]);
  });

  it('releases and records a call if the vendor failed', async () => {
    const failure = new GatewayError('provider_failed', 'no');
    await expect(spend(() => Promise.reject(failure), ATTEMPT, FAILED)).rejects.toBe(failure);
    expect(ledger.finishes).toMatchObject([{ settle: false, cost: 0n, record: FAILED }]);
  });

  it.each([
    ['insufficient_credits', 'insufficient_credits', (): void => void (account.granted = 99n)],
    ['key_limit', 'insufficient_credits', (): void => void (key.limit = 99n)],
    ['key_disabled', 'unauthenticated', (): void => void (key.fault = 'disabled')],
    ['key_expired', 'unauthenticated', (): void => void (key.fault = 'expired')],
    ['key_unknown', 'unauthenticated', (): void => void (key.fault = 'unknown')],
  ] as const)('does not call the vendor if the ledger returns %s', async (reason, kind, arrange) => {
    arrange();
    let called = false;
    await expect(
      spend(async () => ((called = true), { result: 1, bill: { price: 1n, record: RECORD } })),
    ).rejects.toMatchObject({ kind });
    expect(ledger.outcomes).toMatchObject([{ reason }]);
    expect([called, ledger.finishes]).toEqual([false, []]);
  });

  it('does not return the result if the reservation of the call was lost', async () => {
    await expect(spend(lost)).rejects.toThrow('could not be billed in time');
    expect(account.spent).toBe(0n);
  });

  it('moves the reservation to the next attempt in one step', async () => {
    const next: AttemptBudget = { worstCase: 70n, source: 'own_credential', countsInLimit: true };
    await spend(async (call) => (await call.moveTo(next), { result: 1, bill: { price: 30n, record: RECORD } }));
    const [first, second] = ledger.requests;
    expect(second).toMatchObject({ replaces: first!.id, accountAmount: 0n, keyAmount: 70n, at: first!.at });
    expect(ledger.finishes).toMatchObject([{ reservationId: second!.id, cost: 0n, byokCost: 30n }]);
    expect([account.spent, key.usage, key.byokUsage]).toEqual([0n, 0n, 30n]);
  });

  it('reserves nothing for a call on an own credential if the limit does not count such calls', async () => {
    await spend(async () => ({ result: 1, bill: { price: 30n, record: RECORD } }), {
      worstCase: 70n,
      source: 'own_credential',
    });
    expect(ledger.requests).toMatchObject([{ accountAmount: 0n, keyAmount: 0n }]);
  });

  describe('anomalies', () => {
    it('are recorded for implausible usage, and the call is settled', async () => {
      const anomaly = { kind: 'usage_invalid', details: { reported: '-1' } } as const;
      await spend(async (call) => ({ result: call.generationId, bill: { price: 60n, record: RECORD, anomaly } }));
      expect(anomalies).toMatchObject([
        { kind: 'usage_invalid', payer: PAYER, requestId: 'request-1', details: { reported: '-1' } },
      ]);
      expect(ledger.finishes).toMatchObject([{ settle: true, cost: 60n }]);
    });

    it('are recorded for a complete call and for a stream that could not be billed', async () => {
      await expect(spend(lost)).rejects.toMatchObject({ kind: 'unavailable' });
      await deliver(bytes('abc'), new FakeOutlet(), { isLost: true });
      const failed = { kind: 'settlement_failed', requestId: 'request-1', generationId: expect.any(String) };
      expect(anomalies).toMatchObject([
        { ...failed, details: { price_nano: '60', error: expect.stringContaining('could not be billed in time') } },
        { ...failed, details: { price_nano: '40' } },
      ]);
    });

    it('are recorded for a stream that could not be billed after its caller disconnected', async () => {
      await deliver(bytes('abc', 'def'), new FakeOutlet((self) => (self.isOpen = false)), { isLost: true });
      expect(anomalies).toMatchObject([{ kind: 'settlement_failed' }]);
    });
  });

  describe('a stream', () => {
    it.each([
      ['in two pieces', ['abc', 'def'], 5],
      ['in one piece', ['abcdef'], 5],
    ])('that arrives %s is sent to its last byte only after the settlement', async (_, texts, before) => {
      const settledAt: number[] = [];
      const outlet = await deliver(
        bytes(...texts),
        new FakeOutlet(({ text }) => {
          if (ledger.finishes.length > 0) settledAt.push(text.length);
        }),
      );
      expect([outlet.text, outlet.outcome, settledAt]).toEqual(['abcdef', 'ended', [before]]);
      expect(ledger.finishes).toMatchObject([{ settle: true, cost: 40n }]);
    });

    it('that is complete when it begins is sent in one piece, after the settlement', async () => {
      const settledAt: number[] = [];
      const outlet = await deliver(
        bytes('abcdef'),
        new FakeOutlet(({ text }) => settledAt.push(ledger.finishes.length, text.length)),
        { isComplete: () => true },
      );
      expect([outlet.text, outlet.outcome, settledAt]).toEqual(['abcdef', 'ended', [1, 0]]);
    });

    it('ends before its last byte if the reservation was lost', async () => {
      const outlet = await deliver(bytes('abc'), new FakeOutlet(), { isLost: true });
      expect([outlet.text, outlet.outcome]).toEqual(['ab', 'cut']);
    });

    it('rejects before the first byte if the reservation was lost or the vendor failed', async () => {
      const whole = new FakeOutlet();
      const lostCall = deliver(bytes('abc'), whole, { isComplete: () => true, isLost: true });
      await expect(lostCall).rejects.toMatchObject({ kind: 'unavailable' });
      const failing = new FakeOutlet();
      const failedCall = deliver(
        (async function* () {
          yield Buffer.from('a');
          throw new GatewayError('provider_failed', 'broke off');
        })(),
        failing,
      );
      await expect(failedCall).rejects.toMatchObject({ kind: 'provider_failed' });
      expect([whole.text, whole.outcome, failing.text, failing.outcome]).toEqual(['', undefined, '', undefined]);
      expect(ledger.finishes.at(-1)).toMatchObject({ settle: false, record: FAILED });
    });

    it('is billed in full when the caller disconnects after the first byte', async () => {
      const outlet = await deliver(bytes('abc', 'def'), new FakeOutlet((self) => (self.isOpen = false)));
      expect([outlet.text, outlet.outcome]).toEqual(['ab', 'cut']);
      expect(ledger.finishes).toMatchObject([{ settle: true, cost: 40n }]);
    });

    it('is not billed when the vendor fails in the middle of the stream', async () => {
      const outlet = await deliver(
        (async function* () {
          yield Buffer.from('abc');
          throw new GatewayError('provider_failed', 'broke off');
        })(),
      );
      expect([outlet.text, outlet.outcome]).toEqual(['ab', 'cut']);
      expect(ledger.finishes).toMatchObject([{ settle: false, record: FAILED }]);
    });

    it('is not billed when the caller disconnects before the first byte', async () => {
      const left = new FakeOutlet();
      left.isOpen = false;
      const outlet = await deliver(bytes('a', 'bc'), left);
      expect([outlet.text, outlet.outcome]).toEqual(['', 'cut']);
      expect(ledger.finishes).toMatchObject([{ settle: false }]);
    });

    it('is billed if the caller disconnects after the complete response was received', async () => {
      const left = new FakeOutlet();
      left.isOpen = false;
      await deliver(bytes('abc'), left, { isComplete: () => true });
      expect(ledger.finishes).toMatchObject([{ settle: true, cost: 40n }]);
    });
  });
});
