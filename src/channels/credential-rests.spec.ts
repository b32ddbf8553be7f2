import { jest } from '@jest/globals';
import { LRUCache } from 'lru-cache';
import { GatewayError } from '../kernel/errors/errors.js';
import { CredentialRests, type SpreadRest } from './credential-rests.js';

const STORED = { id: 'a', version: 'a@1', isStored: true };
const ENVIRONMENT = { id: 'env:acme', version: 'env:acme', isStored: false };
const fault = (vendorStatus: number, retryAfter?: string): GatewayError =>
  new GatewayError('rate_limited', 'no', {
    vendorStatus,
    ...(retryAfter === undefined ? {} : { headers: { 'retry-after': retryAfter } }),
  });

describe('the rests of credentials', () => {
  let rests: CredentialRests;
  let now: number;
  let sent: SpreadRest[];
  beforeEach(() => {
    rests = new CredentialRests();
    sent = [];
    rests.onRest((rest) => sent.push(rest));
    now = 1_000_000;
    jest.spyOn(Date, 'now').mockImplementation(() => now);
  });
  afterEach(() => void jest.restoreAllMocks());
  const leftMs = (model = 'm'): number => (rests.of(STORED, model)?.until ?? now) - now;

  it('last as long as the vendor states, for the model of the call', () => {
    rests.failed(STORED, 'm', fault(429, '7'));
    expect([leftMs('m'), leftMs('other')]).toEqual([7_000, 0]);
    now += 6_999;
    expect(leftMs()).toBe(1);
    now += 1;
    expect(rests.of(STORED, 'm')).toBeUndefined();
  });

  it('grow from 5 s to 5 min if the vendor states no time, and shrink by half after a success', () => {
    const waits: number[] = [];
    for (let round = 0; round < 8; round++) {
      rests.failed(STORED, 'm', fault(429));
      waits.push(leftMs());
      now += leftMs();
    }
    expect(waits).toEqual([5_000, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000]);
    rests.succeeded(STORED, 'm');
    rests.failed(STORED, 'm', fault(429));
    expect(leftMs()).toBe(150_000);
    for (let round = 0; round < 8; round++) rests.succeeded(STORED, 'm');
    now += 300_000;
    rests.failed(STORED, 'm', fault(429));
    expect(leftMs()).toBe(5_000);
  });

  it('apply to every model after 401, until the credential serves a call', () => {
    rests.failed(STORED, 'm', fault(401));
    expect([leftMs('m'), leftMs('other')]).toEqual([3_600_000, 3_600_000]);
    expect(rests.lasting(STORED)).toBe('refused');
    expect(rests.succeeded(STORED, 'other')).toBe(true);
    expect([leftMs(), rests.lasting(STORED), rests.succeeded(STORED, 'm')]).toEqual([0, undefined, false]);
  });

  it('let one call an hour probe a credential that was refused', () => {
    rests.failed(STORED, 'm', fault(401));
    rests.probe(STORED);
    expect(leftMs()).toBe(3_600_000);
    now += 3_600_000;
    expect(leftMs()).toBe(0);
    rests.probe(STORED);
    expect(leftMs()).toBeGreaterThan(0);
  });

  it('end when the credential is changed', () => {
    rests.failed(STORED, 'm', fault(401));
    expect(rests.of({ version: 'a@2' }, 'm')).toBeUndefined();
  });

  it('exclude a credential of the environment only if the vendor stated the wait', () => {
    for (const [status, retryAfter, isFirm] of [
      [401, undefined, false],
      [402, undefined, false],
      [404, undefined, false],
      [429, undefined, false],
      [429, '7', true],
    ] as const) {
      const environment = { ...ENVIRONMENT, version: `${status} ${retryAfter}` };
      rests.failed(environment, 'm', fault(status, retryAfter));
      expect([status, rests.of(environment, 'm')?.isFirm]).toEqual([status, isFirm]);
    }
    rests.failed(STORED, 'm', fault(429));
    expect(rests.of(STORED, 'm')?.isFirm).toBe(true);
  });

  it('are sent to other replicas once, and the replicas adopt them', () => {
    for (let round = 0; round < 3; round++) rests.failed(STORED, 'm', fault(429, '7'));
    expect(sent).toEqual([
      { id: 'a', version: 'a@1', model: 'm', reason: 'rate_limited', until: now + 7_000, isFirm: true },
    ]);
    now += 3_000;
    rests.failed(STORED, 'm', fault(429, '7'));
    expect(sent).toHaveLength(2);
    const other = new CredentialRests();
    other.learn(sent[1]!);
    expect(other.of(STORED, 'm')?.until).toBe(now + 7_000);
  });

  it('are not sent if our own limits cause them, because each process counts separately', () => {
    rests.capped(STORED, 9_000);
    expect([sent, leftMs(), rests.of(STORED, 'm')?.reason]).toEqual([[], 9_000, 'cap']);
    rests.succeeded(STORED, 'm');
    expect(leftMs()).toBe(9_000);
  });

  it('are read once for the states of many credentials, and again after a change', () => {
    const ends = (): (number | undefined)[] => ['a@1', 'b@1', 'c@1'].map((version) => rests.latestUntil(version));
    rests.failed(STORED, 'm', fault(429, '7'));
    rests.failed(STORED, 'n', fault(429, '9'));
    const read = jest.spyOn(LRUCache.prototype, 'entries');
    expect(ends()).toEqual([now + 9_000, undefined, undefined]);
    expect(read).toHaveBeenCalledTimes(2);
    rests.capped({ ...STORED, version: 'b@1' }, 5_000);
    expect(ends()).toEqual([now + 9_000, now + 5_000, undefined]);
    expect(read).toHaveBeenCalledTimes(4);
    now += 5_000;
    expect(ends()).toEqual([now + 4_000, undefined, undefined]);
  });
});
