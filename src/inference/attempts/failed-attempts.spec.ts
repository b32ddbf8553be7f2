import { GatewayError, type ErrorDetails, type ErrorKind } from '../../kernel/errors/errors.js';
import { attemptReports, withFailure, withPreviousErrors, type FailedAttempt } from './failed-attempts.js';

const attempt = (provider: string, kind: ErrorKind, details?: ErrorDetails): FailedAttempt => ({
  provider,
  error: new GatewayError(kind, 'no', details),
  latencyMs: 5,
});
const factsOf = (failed: readonly FailedAttempt[], error = failed.at(-1)!.error): unknown =>
  (withPreviousErrors(error, failed) as GatewayError).facts;
const overloaded = attempt('North', 'provider_overloaded', {
  vendorStatus: 529,
  facts: { vendorCode: 'overloaded' },
});
const broken = attempt('East', 'provider_failed');

describe('the error of a call with several attempts', () => {
  const limited = (retryAfter?: string): FailedAttempt =>
    attempt('South', 'rate_limited', { headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } });

  it('names the provider that failed last, and the earlier failures in their order', () => {
    expect(factsOf([overloaded, broken, limited()])).toEqual({
      provider: 'South',
      previous: [
        { provider: 'North', code: 'overloaded', status: 529 },
        { provider: 'East', code: 'provider_failed', status: 502 },
      ],
    });
  });

  it('has no previous errors after one attempt', () => {
    expect(factsOf([overloaded])).toEqual({ provider: 'North', vendorCode: 'overloaded' });
  });

  it('lists every attempt as previous if the call did not end with the error of an attempt', () => {
    const refused = new GatewayError('insufficient_credits', 'no');
    expect(factsOf([overloaded], refused)).toEqual({
      previous: [{ provider: 'North', code: 'overloaded', status: 529 }],
    });
  });

  it("keeps the kind and the message of the last error, and the vendor's status", () => {
    const error = withPreviousErrors(overloaded.error, [broken, overloaded]);
    expect(error).toMatchObject({ kind: 'provider_overloaded', message: 'no', vendorStatus: 529 });
  });

  it('has the shortest Retry-After of the vendors, in seconds or as a date', () => {
    const soon = new Date(Date.now() + 3_000).toUTCString();
    const retryAfter = (...values: (string | undefined)[]) => {
      const failed = values.map(limited);
      return (withPreviousErrors(failed.at(-1)!.error, failed) as GatewayError).headers?.['retry-after'];
    };
    expect(retryAfter('30', '7', '12')).toBe('7');
    expect(retryAfter('30', soon)).toBe(soon);
    expect(retryAfter('30', undefined)).toBe('30');
    expect(retryAfter('soon', '9')).toBe('9');
    expect(retryAfter(undefined)).toBeUndefined();
  });

  it('is returned unchanged if it is an internal fault', () => {
    const defect = new TypeError('inside');
    expect(withPreviousErrors(defect, [{ provider: 'North', error: defect, latencyMs: 1 }])).toBe(defect);
  });

  it('is recorded once: on the last attempt if that attempt failed with it, otherwise separately', () => {
    const reports = attemptReports([broken]);
    const refused = new GatewayError('insufficient_credits', 'Too poor');
    const reason = { code: 'insufficient_credits', message: 'Too poor' };
    expect(withFailure(reports, broken.error)).toEqual({ attempts: reports });
    expect(withFailure(reports, refused)).toEqual({ attempts: reports, failure: reason });
    expect(withFailure([], refused)).toEqual({ attempts: [], failure: reason });
    const responding = attemptReports([], { provider: 'South', latencyMs: 4 });
    expect(withFailure(responding, refused)).toEqual({ attempts: [{ ...responding[0], failure: reason }] });
  });
});

describe('the attempts in the record of a call', () => {
  it('have the status and the time of each attempt', () => {
    expect(attemptReports([overloaded, broken], { provider: 'South', latencyMs: 40 })).toEqual([
      { provider: 'North', status: 529, latencyMs: 5, failure: { code: 'overloaded', message: 'no' } },
      { provider: 'East', status: 502, latencyMs: 5, failure: { code: 'provider_failed', message: 'no' } },
      { provider: 'South', status: 200, latencyMs: 40 },
    ]);
  });

  it("have neither a vendor's own message nor the message of an internal fault", () => {
    const quoting = attempt('North', 'invalid_request', { facts: { hasVendorMessage: true } });
    const defect = { provider: 'East', error: new TypeError('no'), latencyMs: 1 };
    const messages = attemptReports([quoting, defect]).map(({ failure }) => failure?.message);
    expect(messages).toEqual([expect.stringMatching(/^The provider refused/), expect.stringMatching(/^A fault of/)]);
  });
});
