import { GatewayError } from '../kernel/errors/errors.js';
import { restOfFailure } from './rest-of-failure.js';

const NOW = Date.parse('2026-11-27T12:00:00Z');
const restOf = (vendorStatus: number, retryAfter?: string, vendorCode?: string): unknown => {
  const headers: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
  const facts = vendorCode === undefined ? {} : { vendorCode };
  return restOfFailure(new GatewayError('provider_failed', 'no', { vendorStatus, headers, facts }), NOW);
};

describe('a credential', () => {
  it.each([
    ['0', 1_000],
    ['1', 1_000],
    ['7', 7_000],
    ['600', 600_000],
    ['601', 600_000],
    [new Date(NOW + 30_000).toUTCString(), 30_000],
    [new Date(NOW - 30_000).toUTCString(), 1_000],
    ['soon', undefined],
    [undefined, undefined],
  ])('after a 429 with Retry-After %s rests for the model for %s ms', (retryAfter, ms) => {
    expect(restOf(429, retryAfter)).toEqual({ reason: 'rate_limited', isOfModel: true, ms });
  });

  it.each([
    [429, 'insufficient_quota', 'exhausted', 1_800_000],
    [402, undefined, 'exhausted', 1_800_000],
    [401, undefined, 'refused', 3_600_000],
    [403, undefined, 'refused', 3_600_000],
  ])('after a %i (%s) rests for every model: %s', (status, code, reason, ms) => {
    expect(restOf(status, undefined, code)).toEqual({ reason, isOfModel: false, ms });
  });

  it('after a 404 rests for the model for an hour', () => {
    expect(restOf(404)).toEqual({ reason: 'unknown_model', isOfModel: true, ms: 3_600_000 });
  });

  it.each([400, 409, 413, 422, 500, 502, 503, 529])('after a %i does not rest', (status) => {
    expect(restOf(status)).toBeUndefined();
  });

  it('after a broken connection or a defect of this service does not rest', () => {
    expect(restOfFailure(new GatewayError('provider_failed', 'broken', { outage: true }), NOW)).toBeUndefined();
    expect(restOfFailure(new TypeError('inside'), NOW)).toBeUndefined();
  });
});
