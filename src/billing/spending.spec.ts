import { GatewayError } from '../kernel/errors.js';
import { SystemClock } from '../kernel/clock.js';
import type { GenerationRecord } from '../usage/generation-record.js';
import { FakeLedger } from './ledger.fake.js';
import { Leases } from './ledger/leases.js';
import type { Ledger } from './ledger/ledger.js';
import type { Attempt, OpenCall } from './open-call.js';
import { Spending, type Begun, type ByteOutlet } from './spending.js';

const PAYER = { accountNo: 1, keyNo: 2 };
const ATTEMPT: Attempt = { worstCase: 100n, source: 'platform' };
const RECORD = { status: 200 } as unknown as GenerationRecord;
const FAILED = { status: 502 } as unknown as GenerationRecord;

/** A reader that takes everything, until it leaves. */
class FakeOutlet implements ByteOutlet {
  isOpen = true;
  text = '';
  outcome: 'ended' | 'cut' | undefined;

  constructor(private readonly onWrite: (outlet: FakeOutlet) => void = () => undefined) {}

  write(bytes: Uint8Array): undefined {
    this.text += Buffer.from(bytes).toString();
    this.onWrite(this);
  }

  end(bytes: Uint8Array): void {
    this.onWrite(this);
    this.text += Buffer.from(bytes).toString();
    this.outcome = 'ended';
  }

  cut(): void {
    this.outcome = 'cut';
    this.isOpen = false;
  }
}

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
  const deliver = async (
    chunks: AsyncIterable<Uint8Array>,
    outlet = new FakeOutlet(),
    { signal = new AbortController().signal, isComplete = (): boolean => false } = {},
  ): Promise<FakeOutlet> => {
    const begin = async (): Promise<Begun> => {
      const rest = chunks[Symbol.asyncIterator]();
      const first = await rest.next();
      return { first: first.value as Uint8Array, rest, isComplete, bill: () => ({ price: 40n, record: RECORD }) };
    };
    const stream = await spending.spendStream(PAYER, ATTEMPT, signal, begin, () => FAILED);
    await stream.deliver(outlet);
    return outlet;
  };

  it('reserves the worst case and settles the true price', async () => {
    expect(
      await spending.spend(
        PAYER,
        ATTEMPT,
        async () => ({ result: 'done', bill: { price: 60n, record: RECORD } }),
        () => null,
      ),
    ).toBe('done');
    expect(ledger.reservations).toMatchObject([{ accountAmount: 100n, keyAmount: 100n }]);
    expect(ledger.finishes).toMatchObject([
      { settle: true, cost: 60n, byokCost: 0n, reservationId: ledger.reservations[0]!.id },
    ]);
    expect(spending.openCalls).toBe(0);
  });

  it('releases, and records, a call whose vendor failed', async () => {
    const failure = new GatewayError('provider_failed', 'no');
    await expect(
      spending.spend(
        PAYER,
        ATTEMPT,
        () => Promise.reject(failure),
        () => FAILED,
      ),
    ).rejects.toBe(failure);
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
    await expect(
      spending.spend(
        PAYER,
        ATTEMPT,
        async () => ((called = true), { result: 1, bill: { price: 1n, record: RECORD } }),
        () => null,
      ),
    ).rejects.toMatchObject({ kind });
    expect([called, ledger.finishes, spending.openCalls]).toEqual([false, [], 0]);
  });

  it('keeps the answer back when its reservation was lost', async () => {
    ledger.finishOutcome = 'lost';
    await expect(
      spending.spend(
        PAYER,
        ATTEMPT,
        async () => ({ result: 1, bill: { price: 1n, record: RECORD } }),
        () => null,
      ),
    ).rejects.toThrow('lost before it could be settled');
  });

  it('moves the reservation to the next attempt in one step', async () => {
    const next: Attempt = { worstCase: 70n, source: 'own_credential', countsInLimit: true };
    await spending.spend(
      PAYER,
      ATTEMPT,
      async (call: OpenCall) => (await call.moveTo(next), { result: 1, bill: { price: 30n, record: RECORD } }),
      () => null,
    );
    const [first, second] = ledger.reservations;
    expect(second).toMatchObject({
      replaces: first!.id,
      accountAmount: 0n,
      keyAmount: 70n,
      createdAt: first!.createdAt,
    });
    expect(ledger.finishes).toMatchObject([{ reservationId: second!.id, cost: 0n, byokCost: 30n }]);
  });

  it('reserves nothing on an own credential that the limit does not count', async () => {
    await spending.spend(
      PAYER,
      { worstCase: 70n, source: 'own_credential' },
      async () => ({ result: 1, bill: { price: 30n, record: RECORD } }),
      () => null,
    );
    expect(ledger.reservations).toMatchObject([{ accountAmount: 0n, keyAmount: 0n }]);
  });

  describe('a stream', () => {
    it.each([
      ['one by one', ['abc', 'def'], 5],
      ['in one piece', ['abcdef'], 5],
    ])('that comes %s holds its last byte back until the settlement is durable', async (_, texts, before) => {
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

    it('that is all there when it begins leaves in one piece, after the settlement', async () => {
      const settledAt: number[] = [];
      const outlet = await deliver(
        bytes('abcdef'),
        new FakeOutlet(({ text }) => settledAt.push(ledger.finishes.length, text.length)),
        { isComplete: () => true },
      );
      expect([outlet.text, outlet.outcome, settledAt]).toEqual(['abcdef', 'ended', [1, 0]]);
    });

    it.each([
      ['whole', true, ''],
      ['in pieces', false, 'ab'],
    ])('that comes %s is cut before its last byte when the reservation was lost', async (_, isComplete, sent) => {
      ledger.finishOutcome = 'lost';
      const outlet = await deliver(bytes('abc'), new FakeOutlet(), { isComplete: () => isComplete });
      expect([outlet.text, outlet.outcome]).toEqual([sent, 'cut']);
    });

    it('is billed in full when the caller leaves after the first byte', async () => {
      const outlet = await deliver(bytes('abc', 'def'), new FakeOutlet((self) => (self.isOpen = false)));
      expect([outlet.text, outlet.outcome]).toEqual(['ab', 'cut']);
      expect(ledger.finishes).toMatchObject([{ settle: true, cost: 40n }]);
      expect(spending.openCalls).toBe(0);
    });

    it('is not billed when the vendor fails in the middle', async () => {
      const outlet = await deliver(
        (async function* () {
          yield Buffer.from('abc');
          throw new GatewayError('provider_failed', 'broke off');
        })(),
      );
      expect([outlet.text, outlet.outcome]).toEqual(['ab', 'cut']);
      expect(ledger.finishes).toMatchObject([{ settle: false, record: FAILED }]);
      expect(spending.openCalls).toBe(0);
    });

    it('is not billed when the caller leaves before the first byte', async () => {
      const left = new FakeOutlet();
      left.isOpen = false;
      const outlet = await deliver(bytes('a', 'bc'), left);
      expect([outlet.text, outlet.outcome]).toEqual(['', 'cut']);
      expect(ledger.finishes).toMatchObject([{ settle: false }]);
    });

    it('is billed when the caller leaves once the complete answer is held', async () => {
      const left = new FakeOutlet();
      left.isOpen = false;
      await deliver(bytes('abc'), left, { isComplete: () => true });
      expect(ledger.finishes).toMatchObject([{ settle: true, cost: 40n }]);
    });
  });
});
